package dev.caliber.memory.context.render;

import dev.caliber.memory.record.TurnPart;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Plain text of items for formats without markup, with safe line breaks. */
public final class PlainTextFormat {
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  private PlainTextFormat() {}

  public static String itemText(WindowItem windowItem) {
    return windowItem
        .shortenedText()
        .orElseGet(
            () ->
                windowItem.content().body().parts().stream()
                    .map(PlainTextFormat::partText)
                    .collect(Collectors.joining("\n")));
  }

  private static String partText(TurnPart turnPart) {
    return switch (turnPart) {
      case TurnPart.TextPart(var text) -> text;
      case TurnPart.ToolCallPart(var call, var tool, var arguments) ->
          "tool call %s: %s(%s)".formatted(call, tool, arguments);
      case TurnPart.ToolResultPart(var call, var content, var failed) ->
          "tool result %s%s: %s".formatted(call, failed ? " (failed)" : "", content);
      case TurnPart.DataPart dataPart -> BinaryDataLabels.labelOf(dataPart);
    };
  }

  /** Indents further lines, whatever their line breaks are. */
  static String indent(String words, String indent) {
    return words.chars().anyMatch(PlainTextFormat::isLineBreak)
        ? LINE_BREAK.matcher(words).replaceAll("\n" + indent)
        : words;
  }

  /** Joins all lines into one. */
  public static String singleLine(String value) {
    return LINE_BREAK.matcher(value).replaceAll(" ");
  }

  /** Checks characters first: most records are one line, and this is cheaper than the pattern. */
  private static boolean isLineBreak(int c) {
    return (c >= '\n' && c <= '\r') || c == '\u0085' || c == '\u2028' || c == '\u2029';
  }
}
