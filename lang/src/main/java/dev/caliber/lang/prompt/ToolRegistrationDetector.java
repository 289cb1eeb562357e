package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SpanLocator;
import java.util.regex.Pattern;

/** Finds lines that would register a tool, as they are written in a pack's TOML. */
final class ToolRegistrationDetector {
  private static final Pattern LINE =
      Pattern.compile(
          "^[ \\t]{0,16}(\\[{1,2}[ \\t]{0,4}tool(?:s|sets)\\.[^\\]\\r\\n]{1,255}\\]{1,2}[ \\t]{0,16}$"
              + "|tool(?:s|sets)\\.[A-Za-z0-9_.\"'-]{1,255}[ \\t]{0,16}=(?!=)"
              + "|kind[ \\t]{0,16}=[ \\t]{0,16}[\"'](?:exec|prompt)[\"']"
              + "|(?:cmd|prompt_md)[ \\t]{0,16}=[ \\t]{0,16}[\"'])",
          Pattern.MULTILINE);

  private ToolRegistrationDetector() {}

  static void report(String text, SpanLocator spanLocator, Diagnostics diagnostics) {
    LINE.matcher(text)
        .results()
        .forEach(
            match ->
                diagnostics.report(
                    DiagnosticCode.TOOL_REGISTRATION,
                    spanLocator.span(match.start(1), match.end(1)),
                    "this registers a tool; a prompt can only refer to tools",
                    "register the tool in cal.toml"));
  }
}
