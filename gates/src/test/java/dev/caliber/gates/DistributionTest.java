package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.gates.Command.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar and the archive that are given out work with a JDK and nothing else. */
class DistributionTest {
  private static final String JAVA = System.getProperty("java.home");

  @TempDir static Path out;
  private static Path jar;
  private static Path archive;

  @TempDir Path directory;

  @BeforeAll
  static void pack() {
    Result packed =
        Command.in(House.root())
            .with("CALIBER_JAVA_HOME", JAVA)
            .with("CALIBER_PACKAGE_LEVEL", "1")
            .run("/bin/bash", ".build/package", out.toString());
    assertThat(packed.exit()).as(packed.output()).isZero();
    List<String> made = packed.output().strip().lines().toList();
    jar = Path.of(made.getFirst());
    archive = Path.of(made.getLast());
  }

  private Result ran(List<String> program, String... arguments) {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(arguments));
    return Command.in(directory)
        .with("PATH", "/usr/bin:/bin")
        .with("CALIBER_JAVA_HOME", JAVA)
        .run(command.toArray(String[]::new));
  }

  private void remembersAndRecalls(List<String> program) {
    Result version = ran(program, "--version");
    assertThat(version.exit()).as(version.output()).isZero();
    assertThat(version.output()).contains("caliber").doesNotContain("WARNING");
    Result remembered = ran(program, "remember", "I prefer window seats");
    assertThat(remembered.exit()).as(remembered.output()).isZero();
    Result recalled = ran(program, "recall", "Where does she like to sit?");
    assertThat(recalled.exit()).as(recalled.output()).isZero();
    assertThat(recalled.output()).contains("window seats").doesNotContain("WARNING");
    assertThat(Files.exists(directory.resolve("caliber-data"))).isTrue();
  }

  @Test
  @DisplayName("ARC-09: one jar, moved elsewhere, remembers and recalls, serves, and is connected")
  void theJarWorks() throws IOException {
    Path moved = Files.copy(jar, directory.resolve("caliber.jar"));
    List<String> program =
        List.of(Path.of(JAVA, "bin", "java").toString(), "-jar", moved.getFileName().toString());
    remembersAndRecalls(program);
    Result served =
        ran(program, "serve", "--port", "0", "--grpc-port", "0", "--idle-exit", "100ms");
    assertThat(served.exit()).as(served.output()).isZero();
    assertThat(served.output()).contains("Caliber listens at http", "for gRPC at port");
    assertThat(ran(program, "connect", "cursor", "--dry-run").output())
        .contains(moved.toRealPath().toString(), "-jar");
  }

  @Test
  @DisplayName("ARC-09: the jar has every service and licence of the jars that it is made of, once")
  void nothingIsLostInTheJar() throws IOException {
    try (JarFile made = new JarFile(jar.toFile())) {
      assertThat(made.isMultiRelease()).isTrue();
      String drivers =
          new String(
              made.getInputStream(made.getEntry("META-INF/services/java.sql.Driver"))
                  .readAllBytes(),
              StandardCharsets.UTF_8);
      assertThat(drivers).contains("org.sqlite.JDBC", "org.postgresql.Driver");
      assertThat(made.stream().map(ZipEntry::getName))
          .doesNotHaveDuplicates()
          .anyMatch(name -> name.startsWith("META-INF/licences/lucene-core-"))
          .noneMatch(name -> name.endsWith("module-info.class"));
    }
  }

  private Path jar(String name, String entry, String content, String... needed) throws IOException {
    Path made = directory.resolve(name);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.join(" ", needed));
    try (var to = new JarOutputStream(Files.newOutputStream(made), manifest)) {
      to.putNextEntry(new ZipEntry(entry));
      to.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return made;
  }

  private Result merged(Path main, String zone, Path target) {
    return Command.in(directory)
        .run(
            Path.of(JAVA, "bin", "java").toString(),
            "-Duser.timezone=" + zone,
            House.root().resolve(".build/OneJar.java").toString(),
            main.toString(),
            target.toString(),
            "1");
  }

  @Test
  @DisplayName("ARC-09: two jars with different files of one name are not made into one")
  void clashesAreRefused() throws IOException {
    Path merged = directory.resolve("merged.jar");
    jar("b.jar", "settings.txt", "one");
    jar("c.jar", "settings.txt", "another");
    Path main = jar("a.jar", "settings.txt", "one", "b.jar");
    assertThat(merged(main, "UTC", merged).exit()).isZero();
    Result refused = merged(jar("a.jar", "settings.txt", "one", "b.jar", "c.jar"), "UTC", merged);
    assertThat(refused.exit()).isEqualTo(65);
    assertThat(refused.output()).contains("settings.txt of c.jar");
  }

  @Test
  @DisplayName("ARC-09: the same jars give the same bytes in any time zone")
  void bytesAreTheSame() throws IOException {
    jar("b.jar", "META-INF/services/java.sql.Driver", "one");
    Path main = jar("a.jar", "settings.txt", "one", "b.jar");
    Path here = directory.resolve("here.jar");
    Path there = directory.resolve("there.jar");
    assertThat(merged(main, "UTC", here).exit()).isZero();
    assertThat(merged(main, "Asia/Tokyo", there).exit()).isZero();
    assertThat(there).hasSameBinaryContentAs(here);
  }

  @Test
  @DisplayName("ARC-09: the archive is packed, unpacked, and remembers and recalls with a JDK only")
  void theArchiveWorks() {
    assertThat(Command.in(directory).run("tar", "-xzf", archive.toString()).exit()).isZero();
    Path home = directory.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    assertThat(home.resolve("caliber.service")).exists();
    assertThat(home.resolve("Dockerfile")).exists();
    Path launcher = home.resolve("bin/caliber");
    remembersAndRecalls(List.of("/bin/bash", launcher.toString()));
    assertThat(ran(List.of("/bin/bash", launcher.toString()), "connect", "cursor").exit()).isZero();
    assertThat(directory.resolve(".cursor/mcp.json")).content().contains(launcher.toString());
    Result prepared = ran(List.of("/bin/bash", home.resolve("bin/caliber-prepare").toString()));
    assertThat(prepared.exit()).as(prepared.output()).isZero();
    assertThat(home.resolve("lib/caliber.aot")).isNotEmptyFile();
    Result beside = ran(List.of("/bin/bash", launcher.toString()), "version");
    assertThat(beside.exit()).as("beside a cache: " + beside.output()).isZero();
  }
}
