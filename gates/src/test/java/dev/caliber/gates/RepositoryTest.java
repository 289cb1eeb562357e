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

/** Gates on the repository's files, each held against the house and against a bad sample. */
class RepositoryTest {
  @Test
  void noFileNamesAMachineOrARegistry() {
    assertThat(House.trackedFiles().stream().flatMap(RepositoryTest::findings)).isEmpty();
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
    // Put together here, so that this file does not name one itself.
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
    assertThat(House.trackedFiles().stream().filter(ShellScripts::isScript)).isNotEmpty();
    assertThat(ShellScripts.findings(House.trackedFiles())).isEmpty();
  }

  @Test
  void aBrokenScriptIsFound(@TempDir Path directory) throws IOException {
    var script =
        Files.writeString(directory.resolve("broken.sh"), "#!/usr/bin/env bash\nif true; then\n");
    assertThat(ShellScripts.findings(List.of(script)))
        .extracting(Finding::what)
        .containsExactly("is a script but not executable");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    assertThat(ShellScripts.findings(List.of(script)))
        .extracting(Finding::what)
        .singleElement()
        .asString()
        .startsWith("is not well formed");
  }

  @Test
  void theShareOfPublicTypesIsReported() throws IOException {
    var shares = PublicTypes.perPackage(House.mainSources(House.modules()));
    var report = new StringBuilder();
    shares.forEach((place, share) -> report.append(place).append(": ").append(share).append('\n'));
    var file = House.root().resolve("gates/target/public-types.txt");
    Files.writeString(file, report);
    var sample =
        Source.sample("sample/Two.java", "package sample; public class Two {} class One {}");
    assertThat(PublicTypes.perPackage(sample).get("sample")).hasToString("1 of 2 types public");
  }

  private static Stream<Finding> findings(Path file) {
    try {
      return TrackedText.findings(House.root().relativize(file).toString(), Files.readString(file))
          .stream();
    } catch (MalformedInputException e) {
      return Stream.empty(); // not text
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
