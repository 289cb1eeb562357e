package dev.caliber.app;

import dev.caliber.lang.pack.ComposeResult.Composed;
import dev.caliber.lang.pack.PackSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber pack lock}. */
@Command(
    name = "lock",
    header = "Write cal.lock: the hash of every file, which a deployment holds the pack to.",
    description = "Only a pack without errors is locked. The same files give the same lock.")
final class PackLockCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "DIR", description = "Where cal.toml is.")
  private Path directory = Path.of("");

  PackLockCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Locked(String file, int files, String hash, boolean changed) {}

  @Override
  public Integer call() throws IOException {
    PackBench bench = new PackBench(workbench);
    Findings findings = Findings.beside(workbench);
    PackSource source = bench.read(directory);
    Optional<Composed> pack = bench.composed(directory, source.withoutLock(), findings);
    if (pack.isPresent()) {
      write(source, pack.get());
    }
    return findings.conclude("").number();
  }

  private void write(PackSource source, Composed pack) throws IOException {
    Path file = workbench.resolve(directory).resolve(PackSource.LOCK);
    String text = pack.lock().text();
    boolean changed = !source.text(PackSource.LOCK).equals(Optional.of(text));
    if (changed) {
      NewFile.put(file, text);
    }
    int files = pack.lock().hashes().size();
    workbench
        .output()
        .result(
            new Locked(file.toString(), files, pack.lock().hash(), changed),
            "%s %s, %s"
                .formatted(
                    changed ? "Wrote" : "Unchanged:", file, Findings.counted(files, "file")));
  }
}
