package dev.caliber.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber init}. */
@Command(
    name = "init",
    header = "Write a caliber.toml and a pack to begin with, every setting set and explained.",
    description =
        "Refuses to overwrite what is there. Both are written, or neither. The pack is in the"
            + " directory 'pack': cal.toml, a prompt, a tool with its contract, and cal.lock.")
final class InitCommand implements Callable<Integer> {
  private static final String ADVICE =
      "Change it by hand, or move it away first; it was not touched.";

  private final Workbench workbench;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where to write them, made if need be; here if none is named.")
  private Path directory = Path.of(".");

  InitCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Written(String file, String pack) {}

  @Override
  public Integer call() throws IOException {
    Path target = workbench.resolve(directory);
    Path file = target.resolve(AppConfig.FILE_NAME);
    Path pack = target.resolve(StarterPack.DIRECTORY);
    refuseExisting(file);
    refuseExisting(pack);
    Files.createDirectories(target);
    write(file, pack);
    workbench
        .output()
        .result(
            new Written(file.toString(), pack.toString()),
            """
            Wrote %s and %s.
            Change what you like; 'caliber config check' and 'caliber pack validate %s' say what is wrong,
            and 'caliber pack deploy %s' lets a space run on the pack."""
                .formatted(file, pack, shown(), shown()));
    return ExitCode.OK.number();
  }

  /** The pack as the caller would name it. */
  private Path shown() {
    return directory.resolve(StarterPack.DIRECTORY).normalize();
  }

  private static void refuseExisting(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw AppException.fileExists(path, ADVICE);
    }
  }

  private static void write(Path file, Path pack) throws IOException {
    NewDirectory.write(pack, StarterPack.files(), StarterPack.PROGRAMS);
    try {
      NewFile.make(file, AppConfig.starterText());
    } catch (Throwable e) {
      NewDirectory.remove(pack, e);
      throw e;
    }
  }
}
