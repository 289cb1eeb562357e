package dev.caliber.app.pack;

import dev.caliber.app.shell.AtomicFileWriter;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.lang.pack.ComposeResult.ComposeSuccess;
import dev.caliber.lang.pack.manifest.PackSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber pack lock}. */
@Command(
    name = "lock",
    header = "Write cal.lock: the hash of every file, which a deployment compares with the pack.",
    description = "Only a pack without errors is locked. The same files give the same lock.")
final class PackLockCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "DIR", description = "The directory of cal.toml.")
  private Path directory = Path.of("");

  PackLockCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record PackLockOutput(String file, int files, String hash, boolean changed) {}

  @Override
  public Integer call() throws IOException {
    ReportingPackComposer bench = new ReportingPackComposer(commandContext);
    DiagnosticReporter diagnosticReporter = DiagnosticReporter.onStandardError(commandContext);
    PackSource source = bench.readSource(directory);
    Optional<ComposeSuccess> pack =
        bench.composeAndReport(directory, source.withoutLock(), diagnosticReporter);
    if (pack.isPresent()) {
      write(source, pack.get());
    }
    return diagnosticReporter.printSummary("").number();
  }

  private void write(PackSource source, ComposeSuccess pack) throws IOException {
    Path file = commandContext.resolve(directory).resolve(PackSource.LOCK);
    String text = pack.lock().text();
    boolean changed = !source.text(PackSource.LOCK).equals(Optional.of(text));
    if (changed) {
      AtomicFileWriter.createOrReplace(file, text);
    }
    int files = pack.lock().hashes().size();
    commandContext
        .output()
        .printResult(
            new PackLockOutput(file.toString(), files, pack.lock().hash(), changed),
            "%s %s, %s"
                .formatted(
                    changed ? "Wrote" : "Unchanged:",
                    file,
                    DiagnosticReporter.countText(files, "file")));
  }
}
