package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that prompts and contracts are used; otherwise a path may be wrong. */
final class UnusedFileCheck implements PackCheck {
  private static final int MOST_BOUND = 100;
  private static final Span START = new Span(1, 1, 1, 1);
  private static final List<String> KEYS = List.of("cmd", "prompt_md", "contract");
  private static final Pattern PLACE =
      Pattern.compile("(agents/.*\\.md)|(tools/.*(\\.md|\\.schema\\.json))");

  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var used =
        Stream.of(Manifest.AGENTS, Manifest.TOOLS)
            .flatMap(section -> parsedPack.section(section).values().stream())
            .flatMap(
                namedTable -> KEYS.stream().flatMap(key -> namedTable.table().text(key).stream()))
            .map(TextNode::value)
            .collect(Collectors.toSet());
    if (parsedPack.isDamaged(Manifest.AGENTS) || parsedPack.isDamaged(Manifest.TOOLS)) {
      return;
    }
    parsedPack.source().paths().stream()
        .filter(path -> PLACE.matcher(path).matches())
        .filter(path -> !used.contains(path))
        .limit(MOST_BOUND)
        .forEach(path -> report(path, packDiagnostics));
  }

  private static void report(String path, PackDiagnostics packDiagnostics) {
    packDiagnostics
        .inFile(path)
        .report(
            DiagnosticCode.UNUSED_FILE,
            START,
            "cal.toml does not name this file",
            "name the file in cal.toml, or remove the file");
  }
}
