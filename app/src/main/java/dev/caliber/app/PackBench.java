package dev.caliber.app;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackComposer;
import dev.caliber.lang.pack.PackSource;
import dev.caliber.memory.record.RecordKinds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the commands of packs share: reading one, composing it, saying what is wrong with it. */
final class PackBench {
  private final Workbench workbench;
  private final PackComposer composer = PackComposer.create(RecordKinds.catalogue());

  PackBench(Workbench workbench) {
    this.workbench = workbench;
  }

  PackSource read(Path directory) {
    return PackSource.read(workbench.resolve(directory));
  }

  ComposeResult compose(PackSource source) {
    return composer.compose(source);
  }

  /** The pack of a directory, or, once its errors are printed, nothing. */
  Optional<Composed> composed(Path directory, PackSource source, Findings findings) {
    return switch (compose(source)) {
      case ComposeResult.Rejected rejected -> {
        report(directory, source, rejected.diagnostics(), findings);
        yield Optional.empty();
      }
      case Composed composed -> {
        report(directory, source, composed.warnings(), findings);
        yield Optional.of(composed);
      }
    };
  }

  /** Names files as the caller sees them, so that an editor can open the place. */
  private static void report(
      Path directory, PackSource source, List<Diagnostic> diagnostics, Findings findings) {
    Map<String, List<String>> lines = new HashMap<>();
    List<Diagnostic> shown =
        diagnostics.stream()
            .map(
                diagnostic -> {
                  Diagnostic here = in(directory, diagnostic);
                  lines.computeIfAbsent(here.file(), _ -> lines(source, diagnostic.file()));
                  return here;
                })
            .toList();
    findings.add(directory.toString(), shown, file -> lines.getOrDefault(file, List.of()));
  }

  private static Diagnostic in(Path directory, Diagnostic found) {
    return new Diagnostic(
        found.severity(),
        found.code(),
        directory.resolve(found.file()).normalize().toString(),
        found.span(),
        found.message(),
        found.suggestion());
  }

  private static List<String> lines(PackSource source, String file) {
    return source.text(file).map(text -> text.lines().toList()).orElse(List.of());
  }
}
