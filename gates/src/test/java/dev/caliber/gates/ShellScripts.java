package dev.caliber.gates;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Every shell script can be run and is well formed. */
final class ShellScripts {
  private ShellScripts() {}

  static List<Finding> findings(List<Path> files) {
    return files.stream()
        .filter(ShellScripts::isScript)
        .flatMap(file -> problem(file).stream())
        .toList();
  }

  static boolean isScript(Path file) {
    var name = String.valueOf(file.getFileName());
    return name.endsWith(".sh") || (!name.contains(".") && House.text(file).startsWith("#!"));
  }

  private static Optional<Finding> problem(Path file) {
    if (!Files.isExecutable(file)) {
      return Optional.of(new Finding(file.toString(), "is a script but not executable"));
    }
    var checked =
        Command.in(file.toAbsolutePath().resolveSibling(".")).run("bash", "-n", file.toString());
    return checked.exit() == 0
        ? Optional.empty()
        : Optional.of(
            new Finding(file.toString(), "is not well formed: " + checked.output().strip()));
  }
}
