package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code caliber index}, on what the demo leaves. */
class AppIndexTest {
  @TempDir Path directory;

  private Shell shell = new Shell(Path.of(""));

  @BeforeEach
  void fill() throws IOException, InterruptedException {
    shell = new Shell(directory);
    assertThat(shell.runAsProcess("demo", "--keep", "data", "--writes", "20").code()).isZero();
  }

  @Test
  void anIndexIsBuiltCheckedAndBuiltAnew() {
    var status = shell.run("index", "status", "--data", "data/store");
    assertThat(status.code()).isZero();
    assertThat(status.out()).contains("DOCUMENTS").contains("000001-");
    assertThat(shell.run("index", "rebuild", "--data", "data/store").code()).isZero();
    var again = shell.run("index", "status", "--data", "data/store", "--json");
    assertThat(again.out()).contains("\"generation\":\"000002-").contains("\"backlog\":0");
    assertThat(shell.run("index", "check", "--data", "data/store").out()).contains("0 differences");
    assertThat(shell.run("index", "migrate", "--data", "data/store").out())
        .contains("is as settings want it");
  }

  @Test
  void anIndexThatWasDeletedComesBack() throws IOException {
    String first = shell.run("index", "check", "--data", "data/store", "--json").out();
    try (Stream<Path> files = Files.walk(directory.resolve("data/store/search"))) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    assertThat(shell.run("index", "check", "--data", "data/store", "--json").out())
        .isEqualTo(first);
    assertThat(first).contains("\"differences\":0");
  }
}
