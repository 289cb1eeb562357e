package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gates on the repository's files, each tested with the repository and with a bad sample. */
class RepositoryTest {
  @Test
  void noFileNamesAMachineOrARegistry() {
    assertThat(Repository.trackedFiles().stream().flatMap(RepositoryTest::findings)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "see /%s/project",
        "cd /home/%s/x",
        "https://repo1.%s.org/maven2",
        "https://registry.%s.org/x",
        "<%sepository>"
      })
  void aMachineOrARegistryIsFound(String pattern) {
    // Put together here, so that this file does not contain one itself.
    var text = pattern.replace("<%s", "<r").replace("%s", "root");
    assertThat(TrackedText.findings("sample.txt", text)).hasSize(1);
  }

  @Test
  void relativePathsAndNamespacesMayStay() {
    assertThat(
            TrackedText.findings(
                "pom.xml", "http://maven.apache.org/POM/4.0.0 ../shared/work/x target/root/y"))
        .isEmpty();
  }

  @Test
  void everyScriptRunsAndIsWellFormed() {
    assertThat(Repository.trackedFiles().stream().filter(ShellScripts::isScript)).isNotEmpty();
    assertThat(ShellScripts.findings(Repository.trackedFiles())).isEmpty();
  }

  @Test
  void aBrokenScriptIsFound(@TempDir Path directory) throws IOException {
    var script =
        Files.writeString(directory.resolve("broken.sh"), "#!/usr/bin/env bash\nif true; then\n");
    assertThat(ShellScripts.findings(List.of(script)))
        .extracting(GateFinding::what)
        .containsExactly("is a script but not executable");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    assertThat(ShellScripts.findings(List.of(script)))
        .extracting(GateFinding::what)
        .singleElement()
        .asString()
        .startsWith("is not well formed");
  }

  private static Stream<GateFinding> findings(Path file) {
    try {
      return TrackedText.findings(
          Repository.root().relativize(file).toString(), Files.readString(file))
          .stream();
    } catch (MalformedInputException e) {
      return Stream.empty(); // not text
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
