package dev.caliber.memory.context.render;

import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.candidate.RecordBody;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.TurnPart;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Renderer to XML elements. A record cannot end its element: characters with a meaning in XML are
 * escaped, and forbidden ones are replaced.
 */
final class XmlRenderer implements WindowRenderer {
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
  public RenderedItem renderItem(FilledSection filledSection, WindowItem windowItem) {
    return renderItem(windowItem);
  }

  RenderedItem renderItem(WindowItem windowItem) {
    CandidateContent candidateContent = windowItem.content();
    String element = renderElement(candidateContent);
    return new RenderedItem(
        "<" + element + renderAttributes(windowItem) + ">\n",
        renderText(windowItem) + "\n</" + element + ">\n");
  }

  @Override
  public String sectionFrame(WindowSection windowSection) {
    return windowSection.kind() == SourceKind.SYSTEM
        ? ""
        : openingTag(windowSection) + "</section>\n";
  }

  private static String openingTag(WindowSection windowSection) {
    return "<section name=\"" + escape(windowSection.name()) + "\">\n";
  }

  @Override
  public String windowFrame() {
    return OPEN + CLOSE;
  }

  @Override
  public String render(List<FilledSection> chapters) {
    return chapters.isEmpty()
        ? ""
        : chapters.stream().map(this::renderSection).collect(Collectors.joining("", OPEN, CLOSE));
  }

  private String renderSection(FilledSection filledSection) {
    String pieces =
        filledSection.items().stream()
            .map(windowItem -> renderItem(windowItem).text())
            .collect(Collectors.joining());
    return filledSection.section().kind() == SourceKind.SYSTEM
        ? pieces
        : openingTag(filledSection.section()) + pieces + "</section>\n";
  }

  private static String renderElement(CandidateContent candidateContent) {
    return switch (candidateContent.candidate().kind()) {
      case SYSTEM -> "system";
      case SCOPE -> "summary";
      case TRAJECTORY -> "task";
      case TURN, ARTIFACT, NOTE -> candidateContent.candidate().kind().lowerCaseName();
    };
  }

  private String renderAttributes(WindowItem windowItem) {
    RecordBody recordBody = windowItem.content().body();
    if (windowItem.content().candidate().kind() == SourceKind.SYSTEM) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    appendAttribute(text, "n", Integer.toString(windowItem.number()));
    recordBody
        .role()
        .ifPresent(
            turnRole -> appendAttribute(text, "role", turnRole.name().toLowerCase(Locale.ROOT)));
    recordBody.attributes().forEach((name, value) -> appendAttribute(text, name, value));
    if (dates) {
      recordBody.day().ifPresent(day -> appendAttribute(text, "date", UtcDates.dateOf(day)));
    }
    windowItem.shortenedText().ifPresent(_ -> appendAttribute(text, "shortened", "true"));
    return text.toString();
  }

  private static void appendAttribute(StringBuilder text, String name, String value) {
    text.append(' ').append(name).append("=\"").append(escape(value)).append('"');
  }

  private static String renderText(WindowItem windowItem) {
    return windowItem
        .shortenedText()
        .map(XmlRenderer::escape)
        .orElseGet(
            () ->
                windowItem.content().body().parts().stream()
                    .map(XmlRenderer::renderPart)
                    .collect(Collectors.joining("\n")));
  }

  private static String renderPart(TurnPart turnPart) {
    return switch (turnPart) {
      case TurnPart.TextPart(var text) -> escape(text);
      case TurnPart.ToolCallPart(var call, var tool, var arguments) ->
          "<tool_call id=\"%s\" tool=\"%s\">%s</tool_call>"
              .formatted(escape(call), escape(tool), escape(arguments));
      case TurnPart.ToolResultPart(var call, var content, var failed) ->
          "<tool_result id=\"%s\"%s>%s</tool_result>"
              .formatted(escape(call), failed ? " failed=\"true\"" : "", escape(content));
      case TurnPart.DataPart dataPart -> escape(BinaryDataLabels.labelOf(dataPart));
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
