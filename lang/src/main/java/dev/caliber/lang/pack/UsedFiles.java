package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.Text;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prompts and contracts that lie where they should are used; else a path may be wrong. */
final class UsedFiles implements PackCheck {
  private static final int MOST_BOUND = 100;
  private static final Span START = new Span(1, 1, 1, 1);
  private static final List<String> KEYS = List.of("cmd", "prompt_md", "contract");
  private static final Pattern PLACE =
      Pattern.compile("(agents/.*\\.md)|(tools/.*(\\.md|\\.schema\\.json))");

  @Override
  public void run(Document document, Findings findings) {
    var used =
        Stream.of(Manifest.AGENTS, Manifest.TOOLS)
            .flatMap(section -> document.section(section).values().stream())
            .flatMap(entry -> KEYS.stream().flatMap(key -> entry.table().text(key).stream()))
            .map(Text::value)
            .collect(Collectors.toSet());
    if (document.isLost(Manifest.AGENTS) || document.isLost(Manifest.TOOLS)) {
      return;
    }
    document.source().paths().stream()
        .filter(path -> PLACE.matcher(path).matches())
        .filter(path -> !used.contains(path))
        .limit(MOST_BOUND)
        .forEach(path -> report(path, findings));
  }

  private static void report(String path, Findings findings) {
    findings
        .in(path)
        .report(
            DiagnosticCode.UNUSED_FILE,
            START,
            "nothing in cal.toml names this file",
            "name it there, or remove it");
  }
}
