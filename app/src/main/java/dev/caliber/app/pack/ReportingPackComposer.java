package dev.caliber.app.pack;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.PackComposer;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.memory.record.RecordKinds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shared code of the pack commands: reads a pack, composes it, reports its errors. */
public final class ReportingPackComposer {
  private final CommandContext commandContext;
  private final PackComposer composer = PackComposer.create(RecordKinds.catalogue());

  public ReportingPackComposer(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  PackSource readSource(Path directory) {
    return PackSource.read(commandContext.resolve(directory));
  }

  public ComposeResult compose(PackSource source) {
    return composer.compose(source);
  }

  /** Composes the pack of a directory; on errors, prints them and returns empty. */
  Optional<ComposeSuccess> composeAndReport(
      Path directory, PackSource source, DiagnosticReporter diagnosticReporter) {
    return switch (compose(source)) {
      case ComposeResult.ComposeFailure composeFailure -> {
        report(directory, source, composeFailure.diagnostics(), diagnosticReporter);
        yield Optional.empty();
      }
      case ComposeSuccess composeSuccess -> {
        report(directory, source, composeSuccess.warnings(), diagnosticReporter);
        yield Optional.of(composeSuccess);
      }
    };
  }

  /** Prints diagnostics with paths relative to the caller's directory, for editors. */
  private static void report(
      Path directory,
      PackSource source,
      List<Diagnostic> diagnostics,
      DiagnosticReporter diagnosticReporter) {
    Map<String, List<String>> lines = new HashMap<>();
    List<Diagnostic> shown =
        diagnostics.stream()
            .map(
                diagnostic -> {
                  Diagnostic here = relativeTo(directory, diagnostic);
                  lines.computeIfAbsent(here.file(), _ -> lines(source, diagnostic.file()));
                  return here;
                })
            .toList();
    diagnosticReporter.addDiagnostics(
        directory.toString(), shown, file -> lines.getOrDefault(file, List.of()));
  }

  private static Diagnostic relativeTo(Path directory, Diagnostic found) {
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
