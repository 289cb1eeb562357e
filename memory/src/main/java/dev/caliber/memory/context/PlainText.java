package dev.caliber.memory.context;

import dev.caliber.memory.record.Part;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What pieces say where a format has no markup for it, and how their lines are kept in place. */
final class PlainText {
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  private PlainText() {}

  static String words(Piece piece) {
    return piece
        .shortened()
        .orElseGet(
            () ->
                piece.content().body().parts().stream()
                    .map(PlainText::part)
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

  /** Further lines begin with this, whatever their breaks were. */
  static String indented(String words, String indent) {
    return words.chars().anyMatch(PlainText::breaksLine)
        ? LINE_BREAK.matcher(words).replaceAll("\n" + indent)
        : words;
  }

  /** All in one line. */
  static String line(String value) {
    return LINE_BREAK.matcher(value).replaceAll(" ");
  }

  /** Most records are one line, and to look for a break is cheaper than to look for a pattern. */
  private static boolean breaksLine(int c) {
    return (c >= '\n' && c <= '\r') || c == '\u0085' || c == '\u2028' || c == '\u2029';
  }
}
