package dev.caliber.app.serve;

import dev.caliber.app.shell.AppConfig;
import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.AtomicDirectoryWriter;
import dev.caliber.app.shell.AtomicFileWriter;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
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
    header = "Write a caliber.toml and a starter pack, every setting explained.",
    description =
        "Refuses to overwrite existing files; writes both or neither. The pack is in the directory"
            + " 'pack': cal.toml, a prompt, a tool with its contract, and cal.lock.")
public final class InitCommand implements Callable<Integer> {
  private static final String ADVICE = "Edit it, or move it away first; it was not changed.";

  private final CommandContext commandContext;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = ".",
      description =
          "The directory to write them to, created if necessary. Default: the working directory.")
  private Path directory = Path.of(".");

  public InitCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record InitOutput(String file, String pack) {}

  @Override
  public Integer call() throws IOException {
    Path target = commandContext.resolve(directory);
    Path file = target.resolve(AppConfig.FILE_NAME);
    Path pack = target.resolve(StarterPack.DIRECTORY);
    refuseExisting(file);
    refuseExisting(pack);
    Files.createDirectories(target);
    write(file, pack);
    commandContext
        .output()
        .printResult(
            new InitOutput(file.toString(), pack.toString()),
            """
            Wrote %s and %s.
            After a change, run 'caliber config check' and 'caliber pack validate %s';
            'caliber pack deploy %s' activates the pack in a space."""
                .formatted(file, pack, displayPath(), displayPath()));
    return ExitCode.OK.number();
  }

  /** Returns the pack's path relative to the caller's directory. */
  private Path displayPath() {
    return directory.resolve(StarterPack.DIRECTORY).normalize();
  }

  private static void refuseExisting(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw AppException.fileExists(path, ADVICE);
    }
  }

  private static void write(Path file, Path pack) throws IOException {
    AtomicDirectoryWriter.write(pack, StarterPack.files(), StarterPack.PROGRAMS);
    try {
      AtomicFileWriter.createNew(file, AppConfig.starterText());
    } catch (Throwable e) {
      AtomicDirectoryWriter.removePartial(pack, e);
      throw e;
    }
  }
}
