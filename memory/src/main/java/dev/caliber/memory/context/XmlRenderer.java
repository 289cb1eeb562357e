package dev.caliber.memory.context;

import dev.caliber.memory.record.Part;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * As elements. Whatever a record says, it cannot end its element: the characters that XML gives a
 * meaning are escaped, and those that it forbids are replaced.
 */
final class XmlRenderer implements Renderer {
  private static final String OPEN = "<context>\n";
  private static final String CLOSE = "</context>\n";
  private static final char REPLACEMENT = '\uFFFD';
  private static final char FIRST_PRINTABLE = ' ';
  private static final char DELETE = '\u007f';

  private final boolean dates;

  XmlRenderer(boolean dates) {
    this.dates = dates;
  }

  @Override
  public Fragment fragment(Chapter chapter, Piece piece) {
    return fragment(piece);
  }

  Fragment fragment(Piece piece) {
    Content content = piece.content();
    String element = element(content);
    return new Fragment(
        "<" + element + attributes(piece) + ">\n", words(piece) + "\n</" + element + ">\n");
  }

  @Override
  public String frame(Section section) {
    return section.kind() == SourceKind.SYSTEM ? "" : open(section) + "</section>\n";
  }

  private static String open(Section section) {
    return "<section name=\"" + escape(section.name()) + "\">\n";
  }

  @Override
  public String empty() {
    return OPEN + CLOSE;
  }

  @Override
  public String render(List<Chapter> chapters) {
    return chapters.isEmpty()
        ? ""
        : chapters.stream().map(this::chapter).collect(Collectors.joining("", OPEN, CLOSE));
  }

  private String chapter(Chapter chapter) {
    String pieces =
        chapter.pieces().stream()
            .map(piece -> fragment(piece).text())
            .collect(Collectors.joining());
    return chapter.section().kind() == SourceKind.SYSTEM
        ? pieces
        : open(chapter.section()) + pieces + "</section>\n";
  }

  private static String element(Content content) {
    return switch (content.candidate().kind()) {
      case SYSTEM -> "system";
      case SCOPE -> "summary";
      case TRAJECTORY -> "task";
      case TURN, ARTIFACT, NOTE -> content.candidate().kind().word();
    };
  }

  private String attributes(Piece piece) {
    Body body = piece.content().body();
    if (piece.content().candidate().kind() == SourceKind.SYSTEM) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    attribute(text, "n", Integer.toString(piece.number()));
    body.role().ifPresent(role -> attribute(text, "role", role.name().toLowerCase(Locale.ROOT)));
    body.attributes().forEach((name, value) -> attribute(text, name, value));
    if (dates) {
      body.day().ifPresent(day -> attribute(text, "date", Days.of(day)));
    }
    piece.shortened().ifPresent(_ -> attribute(text, "shortened", "true"));
    return text.toString();
  }

  private static void attribute(StringBuilder text, String name, String value) {
    text.append(' ').append(name).append("=\"").append(escape(value)).append('"');
  }

  private static String words(Piece piece) {
    return piece
        .shortened()
        .map(XmlRenderer::escape)
        .orElseGet(
            () ->
                piece.content().body().parts().stream()
                    .map(XmlRenderer::part)
                    .collect(Collectors.joining("\n")));
  }

  private static String part(Part part) {
    return switch (part) {
      case Part.Text(var text) -> escape(text);
      case Part.ToolCall(var call, var tool, var arguments) ->
          "<tool_call id=\"%s\" tool=\"%s\">%s</tool_call>"
              .formatted(escape(call), escape(tool), escape(arguments));
      case Part.ToolResult(var call, var content, var failed) ->
          "<tool_result id=\"%s\"%s>%s</tool_result>"
              .formatted(escape(call), failed ? " failed=\"true\"" : "", escape(content));
      case Part.Data data -> escape(DataNames.of(data));
    };
  }

  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\r' -> escaped.append(text.startsWith("\n", i + 1) ? "" : "\n");
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\n', '\t' -> escaped.append(c);
        default -> escaped.append(isForbidden(c) ? REPLACEMENT : c);
      }
    }
    return escaped.toString();
  }

  private static boolean isForbidden(char c) {
    return c < FIRST_PRINTABLE || c == DELETE || c == '\uFFFE' || c == '\uFFFF';
  }
}
