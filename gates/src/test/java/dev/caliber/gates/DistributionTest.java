package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.gates.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that is given out works with a JDK and nothing else. */
class DistributionTest {
  @TempDir Path directory;

  private Result unpacked(Path home, String... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "/bin/bash";
    command[1] = home.resolve("bin/caliber").toString();
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return Command.in(directory)
        .with("PATH", "/usr/bin:/bin")
        .with("CALIBER_JAVA_HOME", System.getProperty("java.home"))
        .run(command);
  }

  @Test
  @DisplayName("ARC-09: the archive is packed, unpacked, and remembers and recalls with a JDK only")
  void theArchiveWorks() throws IOException {
    Result packed =
        Command.in(House.root())
            .run("/bin/bash", ".build/package", directory.resolve("out").toString());
    assertThat(packed.exit()).as(packed.output()).isZero();
    Path archive = Path.of(packed.output().strip());
    assertThat(Command.in(directory).run("tar", "-xzf", archive.toString()).exit()).isZero();
    Path home = directory.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    assertThat(home.resolve("caliber.service")).exists();
    assertThat(home.resolve("Dockerfile")).exists();
    Result version = unpacked(home, "--version");
    assertThat(version.exit()).as(version.output()).isZero();
    assertThat(version.output()).contains("caliber");
    Result remembered = unpacked(home, "remember", "I prefer window seats");
    assertThat(remembered.exit()).as(remembered.output()).isZero();
    Result recalled = unpacked(home, "recall", "Where does she like to sit?");
    assertThat(recalled.exit()).as(recalled.output()).isZero();
    assertThat(recalled.output()).contains("window seats");
    assertThat(Files.exists(directory.resolve("caliber-data"))).isTrue();
  }
}
