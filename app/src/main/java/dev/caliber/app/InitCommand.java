package dev.caliber.app;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber init}. */
@Command(
    name = "init",
    header = "Write a caliber.toml with every setting and what it means.",
    description = "Refuses to overwrite a file that is there.")
final class InitCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where to write it; here if none is named.")
  private Path directory = Path.of(".");

  InitCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Written(String file) {}

  @Override
  public Integer call() throws IOException {
    Path file = workbench.resolve(directory).resolve(AppConfig.FILE_NAME);
    try {
      Files.writeString(file, AppConfig.starterText(), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException _) {
      throw AppException.fileExists(
          file, "Change it by hand, or move it away first; it was not touched.");
    }
    workbench
        .output()
        .result(
            new Written(file.toString()),
            "Wrote %s. Change what you like, then run 'caliber config check'.".formatted(file));
    return ExitCode.OK.number();
  }
}
