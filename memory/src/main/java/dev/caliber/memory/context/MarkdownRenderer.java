package dev.caliber.memory.context;

import dev.caliber.memory.record.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * As headings and lists, the form that takes the fewest tokens. A record begins behind the label of
 * its list item, and its further lines are indented, so that none of them can pass for a heading,
 * an instruction or another item.
 */
final class MarkdownRenderer implements Renderer {
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");
  private static final String INDENTED = "\n  ";

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
        : new Fragment(label(piece), indented(words(piece)) + "\n");
  }

  @Override
  public String frame(Section section) {
    return section.kind() == SourceKind.SYSTEM ? "" : "## " + section.name() + "\n";
  }

  @Override
  public String empty() {
    return "";
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

  private String label(Piece piece) {
    Body body = piece.content().body();
    List<String> said = new ArrayList<>();
    said.add("- [" + piece.number() + "]");
    body.role().ifPresent(role -> said.add(role.name().toLowerCase(Locale.ROOT)));
    body.attributes().values().forEach(value -> said.add(line(value)));
    if (dates) {
      body.day().ifPresent(day -> said.add(Days.of(day)));
    }
    piece.shortened().ifPresent(_ -> said.add("(shortened)"));
    return String.join(" ", said) + ":";
  }

  private static String line(String value) {
    return LINE_BREAK.matcher(value).replaceAll(" ");
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

  private static String indented(String words) {
    return " "
        + (words.chars().anyMatch(MarkdownRenderer::breaksLine)
            ? LINE_BREAK.matcher(words).replaceAll(INDENTED)
            : words);
  }

  /** Most records are one line, and to look for a break is cheaper than to look for a pattern. */
  private static boolean breaksLine(int c) {
    return (c >= '\n' && c <= '\r') || c == '\u0085' || c == '\u2028' || c == '\u2029';
  }
}
