package dev.caliber.gates;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Gate on shell scripts: every one is executable and well formed. */
final class ShellScripts {
  private ShellScripts() {}

  static List<GateFinding> findings(List<Path> files) {
    return files.stream()
        .filter(ShellScripts::isScript)
        .flatMap(file -> problem(file).stream())
        .toList();
  }

  static boolean isScript(Path file) {
    var name = String.valueOf(file.getFileName());
    return name.endsWith(".sh") || (!name.contains(".") && Repository.text(file).startsWith("#!"));
  }

  private static Optional<GateFinding> problem(Path file) {
    if (!Files.isExecutable(file)) {
      return Optional.of(new GateFinding(file.toString(), "is a script but not executable"));
    }
    var checked =
        ShellCommand.inDirectory(file.toAbsolutePath().resolveSibling("."))
            .run("bash", "-n", file.toString());
    return checked.exit() == 0
        ? Optional.empty()
        : Optional.of(
            new GateFinding(file.toString(), "is not well formed: " + checked.output().strip()));
  }
}
