package dev.caliber.lang.pack.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackSourceTest {
  @TempDir Path directory;

  private void write(String path, String text) throws IOException {
    var file = directory.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  @Test
  @DisplayName(
      "PACK-01: a pack is cal.toml with prompts, tools and contracts below it; version control is"
          + " not part of it")
  void readsADirectory() throws IOException {
    write("cal.toml", "x");
    write("agents/a.md", "a");
    write("tools/contracts/c.schema.json", "{}");
    write(".git/config", "no");
    var source = PackSource.read(directory);
    assertThat(source.paths())
        .containsExactly("agents/a.md", "cal.toml", "tools/contracts/c.schema.json");
    assertThat(source.text("agents/a.md")).contains("a");
    assertThat(source.bytes("nothing")).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("PACK-09: no path leaves the pack, on any system")
  @ValueSource(
      strings = {
        "../x",
        "a/../../x",
        "a/..",
        "/etc/passwd",
        "~/x",
        "C:/x",
        "c:x",
        "a\\b",
        "a//b",
        "./a",
        "a/",
        "a/.",
        "",
        "nul",
        "tools/COM1.txt",
        "a ",
        " a",
        "a.",
        "a\u0000b",
        "a\nb",
        "a:b",
        "a*",
        "\uD800"
      })
  void refusesPathsOutside(String path) {
    assertThatThrownBy(() -> PackSource.of(Map.of(path, new byte[0])))
        .isInstanceOf(PackException.class)
        .extracting(e -> ((CaliberException) e).code())
        .isEqualTo(PackErrorCode.PACK_PATH_REFUSED);
  }

  @ParameterizedTest
  @DisplayName("PACK-09: ordinary paths are accepted, dots and other scripts included")
  @ValueSource(
      strings = {"a", "a/b.c.md", ".hidden", "..a", "a..b", "агент/é.md", "com", "console.md"})
  void takesOrdinaryPaths(String path) {
    assertThat(PackSource.of(Map.of(path, new byte[0])).paths()).containsExactly(path);
  }

  @Test
  @DisplayName("PACK-09: two paths that are one file on some systems are refused")
  void refusesPathsThatMeet() {
    assertThatThrownBy(
            () -> PackSource.of(Map.of("agents/A.md", new byte[0], "Agents/a.md", new byte[0])))
        .hasMessageContaining("the same as 'Agents/a.md'");
    assertThatThrownBy(
            () -> PackSource.of(Map.of("\u00e9.md", new byte[0], "e\u0301.md", new byte[0])))
        .isInstanceOf(PackException.class);
  }

  @Test
  @DisplayName("PACK-09: links are refused, to files, to directories and to nothing")
  void refusesLinks() throws IOException {
    write("cal.toml", "x");
    for (String target : List.of("/etc/passwd", "/etc", "nowhere", "cal.toml")) {
      var link = Files.createSymbolicLink(directory.resolve("link"), Path.of(target));
      assertThatThrownBy(() -> PackSource.read(directory))
          .isInstanceOf(PackException.class)
          .hasMessageContaining("'link'")
          .hasMessageContaining("found a link");
      Files.delete(link);
    }
  }

  @Test
  @DisplayName("PACK-01: a link may name the directory of a pack")
  void readsADirectoryThatALinkNames(@TempDir Path elsewhere) throws IOException {
    write("agents/a.md", "a");
    var link = Files.createSymbolicLink(elsewhere.resolve("link"), directory);
    assertThat(PackSource.read(link).paths()).containsExactly("agents/a.md");
  }

  @Test
  @DisplayName("PACK-09: a pipe is refused and never waited for")
  void refusesPipes() throws IOException, InterruptedException {
    var pipe = directory.resolve("pipe");
    var make = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(make.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(make.exitValue()).isZero();
    assertThatThrownBy(() -> PackSource.read(directory))
        .hasMessageContaining("'pipe'")
        .hasMessageContaining("a device or a pipe");
  }

  @Test
  @DisplayName("PACK-09: a device is refused")
  void refusesDevices() {
    assertThatThrownBy(() -> PackSource.read(Path.of("/dev/shm/../null")))
        .extracting(e -> ((CaliberException) e).code())
        .isEqualTo(PackErrorCode.PACK_NOT_FOUND);
  }

  @Test
  @DisplayName("PACK-01: a pack of more files than allowed is refused with its limit")
  void refusesTooManyFiles() {
    var files = new HashMap<String, byte[]>();
    for (int i = 0; i <= 10_000; i++) {
      files.put("f" + i, new byte[0]);
    }
    assertThatThrownBy(() -> PackSource.of(files))
        .hasMessageContaining("files of a pack: expected at most 10000");
    files.remove("f0");
    assertThat(PackSource.of(files).paths()).hasSize(10_000);
  }

  @Test
  @DisplayName(
      "PACK-01: a pack with too many bytes, or a file with too many, is refused with its limit")
  void refusesTooManyBytes() throws IOException {
    assertThatThrownBy(() -> PackSource.of(Map.of("f", new byte[(4 << 20) + 1])))
        .hasMessageContaining("bytes of a file of a pack: expected at most 4194304");
    var files = Map.of("a", new byte[4 << 20], "b", new byte[4 << 20], "c", new byte[3 << 20]);
    assertThatThrownBy(() -> PackSource.of(files))
        .hasMessageContaining("bytes of a pack: expected at most 10485760")
        .extracting(e -> ((CaliberException) e).code())
        .isEqualTo(PackErrorCode.PACK_TOO_LARGE);
    Files.write(directory.resolve("large"), new byte[(4 << 20) + 1]);
    assertThatThrownBy(() -> PackSource.read(directory)).hasMessageContaining("'large'");
  }

  @Test
  @DisplayName("PACK-01: directories nested too deep are refused")
  void refusesDeepDirectories() throws IOException {
    Files.createDirectories(directory.resolve("d/".repeat(30)));
    assertThatThrownBy(() -> PackSource.read(directory)).isInstanceOf(PackException.class);
    assertThatThrownBy(() -> PackSource.of(Map.of("d/".repeat(16) + "f", new byte[0])))
        .hasMessageContaining("more than 16 levels deep");
  }

  @Test
  @DisplayName("PACK-01: a path that is not a directory is not found")
  void refusesNothing() {
    assertThatThrownBy(() -> PackSource.read(directory.resolve("none")))
        .extracting(e -> ((CaliberException) e).code())
        .isEqualTo(PackErrorCode.PACK_NOT_FOUND);
  }

  @Test
  void keepsItsFilesFromItsCallers() {
    byte[] bytes = {1};
    var source = PackSource.of(Map.of("f", bytes));
    bytes[0] = 2;
    source.bytes("f").orElseThrow()[0] = 3;
    assertThat(source.bytes("f").orElseThrow()).containsExactly(1);
  }
}
