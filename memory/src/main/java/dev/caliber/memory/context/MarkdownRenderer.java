package dev.caliber.memory.context;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * As headings and lists, the form that takes the fewest tokens. A record begins behind the label of
 * its list item, and its further lines are indented, so that none of them can pass for a heading,
 * an instruction or another item.
 */
final class MarkdownRenderer implements Renderer {
  private static final String INDENT = "  ";

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
        : new Fragment(
            label(piece), " " + PlainText.indented(PlainText.words(piece), INDENT) + "\n");
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
    body.attributes().values().forEach(value -> said.add(PlainText.line(value)));
    if (dates) {
      body.day().ifPresent(day -> said.add(Days.of(day)));
    }
    piece.shortened().ifPresent(_ -> said.add("(shortened)"));
    return String.join(" ", said) + ":";
  }
}
