package dev.caliber.memory.context;

import dev.caliber.memory.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * As headings and quotations. Every line of a record is quoted, so that none of them can pass for a
 * heading, an instruction or another item.
 */
final class MarkdownRenderer implements Renderer {
  private static final String QUOTE = "> ";

  private final boolean dates;

  MarkdownRenderer(boolean dates) {
    this.dates = dates;
  }

  @Override
  public Fragment fragment(Chapter chapter, Piece piece) {
    return fragment(piece);
  }

  private Fragment fragment(Piece piece) {
    return piece.content().candidate().kind() == SourceKind.SYSTEM
        ? new Fragment("", piece.content().body().words() + "\n\n")
        : new Fragment(head(piece), quoted(words(piece)) + "\n");
  }

  @Override
  public String frame(Section section) {
    return section.kind() == SourceKind.SYSTEM ? "" : "## " + section.name() + "\n\n";
  }

  @Override
  public String render(List<Chapter> chapters) {
    return chapters.stream().map(this::chapter).collect(Collectors.joining());
  }

  private String chapter(Chapter chapter) {
    return chapter.pieces().stream()
        .map(piece -> fragment(piece).text())
        .collect(Collectors.joining("", frame(chapter.section()), ""));
  }

  private String head(Piece piece) {
    Body body = piece.content().body();
    List<String> said = new ArrayList<>();
    body.role().ifPresent(role -> said.add(role.name().toLowerCase(Locale.ROOT)));
    body.attributes().values().forEach(value -> said.add(line(value)));
    if (dates) {
      body.day().ifPresent(day -> said.add(Days.of(day)));
    }
    return "[%d] %s\n".formatted(piece.number(), String.join(", ", said));
  }

  private static String line(String value) {
    return value.lines().collect(Collectors.joining(" "));
  }

  private static String words(Piece piece) {
    return piece
        .shortened()
        .orElseGet(
            () ->
                piece.content().body().parts().stream()
                    .map(MarkdownRenderer::part)
                    .collect(Collectors.joining("\n")));
  }

  private static String part(Part part) {
    return switch (part) {
      case Part.Text(var text) -> text;
      case Part.ToolCall(var call, var tool, var arguments) ->
          "tool call %s: %s(%s)".formatted(call, tool, arguments);
      case Part.ToolResult(var call, var content, var failed) ->
          "tool result %s%s: %s".formatted(call, failed ? " (failed)" : "", content);
      case Part.Data data -> DataNames.of(data);
    };
  }

  /** Every kind of line break begins a new quoted line. */
  private static String quoted(String words) {
    return words.lines().map(line -> QUOTE + line + "\n").collect(Collectors.joining());
  }
}
