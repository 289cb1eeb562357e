package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.gates.ShellCommand.ShellCommandResult;
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

/** Tests that the jar and the archive that users get work with a JDK alone. */
class DistributionTest {
  private static final String JAVA = System.getProperty("java.home");

  @TempDir static Path out;
  private static Path jar;
  private static Path archive;

  @TempDir Path directory;

  @BeforeAll
  static void buildPackage() {
    ShellCommandResult packed =
        ShellCommand.inDirectory(Repository.root())
            .withVariable("CALIBER_JAVA_HOME", JAVA)
            .withVariable("CALIBER_PACKAGE_LEVEL", "1")
            .run("/bin/bash", ".build/package", out.toString());
    assertThat(packed.exit()).as(packed.output()).isZero();
    List<String> made = packed.output().strip().lines().toList();
    jar = Path.of(made.getFirst());
    archive = Path.of(made.getLast());
  }

  private ShellCommandResult runProgram(List<String> program, String... arguments) {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(arguments));
    return ShellCommand.inDirectory(directory)
        .withVariable("PATH", "/usr/bin:/bin")
        .withVariable("CALIBER_JAVA_HOME", JAVA)
        .run(command.toArray(String[]::new));
  }

  private void assertRemembersAndRecalls(List<String> program) {
    ShellCommandResult version = runProgram(program, "--version");
    assertThat(version.exit()).as(version.output()).isZero();
    assertThat(version.output()).contains("caliber").doesNotContain("WARNING");
    ShellCommandResult remembered = runProgram(program, "remember", "I prefer window seats");
    assertThat(remembered.exit()).as(remembered.output()).isZero();
    ShellCommandResult recalled = runProgram(program, "recall", "Where does she like to sit?");
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
    assertRemembersAndRecalls(program);
    ShellCommandResult served =
        runProgram(program, "serve", "--port", "0", "--grpc-port", "0", "--idle-timeout", "100ms");
    assertThat(served.exit()).as(served.output()).isZero();
    assertThat(served.output()).contains("Caliber listens at http", "for gRPC at port");
    assertThat(runProgram(program, "connect", "cursor", "--dry-run").output())
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

  private Path makeJar(String name, String entry, String content, String... needed)
      throws IOException {
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

  private ShellCommandResult mergeJars(Path main, String zone, Path target) {
    return ShellCommand.inDirectory(directory)
        .run(
            Path.of(JAVA, "bin", "java").toString(),
            "-Duser.timezone=" + zone,
            Repository.root().resolve(".build/OneJar.java").toString(),
            main.toString(),
            target.toString(),
            "1");
  }

  @Test
  @DisplayName("ARC-09: two jars with different files of one name are not made into one")
  void clashesAreRefused() throws IOException {
    Path merged = directory.resolve("merged.jar");
    makeJar("b.jar", "settings.txt", "one");
    makeJar("c.jar", "settings.txt", "another");
    Path main = makeJar("a.jar", "settings.txt", "one", "b.jar");
    assertThat(mergeJars(main, "UTC", merged).exit()).isZero();
    ShellCommandResult refused =
        mergeJars(makeJar("a.jar", "settings.txt", "one", "b.jar", "c.jar"), "UTC", merged);
    assertThat(refused.exit()).isEqualTo(65);
    assertThat(refused.output()).contains("settings.txt of c.jar");
  }

  @Test
  @DisplayName("ARC-09: the same jars give the same bytes in any time zone")
  void bytesAreTheSame() throws IOException {
    makeJar("b.jar", "META-INF/services/java.sql.Driver", "one");
    Path main = makeJar("a.jar", "settings.txt", "one", "b.jar");
    Path here = directory.resolve("here.jar");
    Path there = directory.resolve("there.jar");
    assertThat(mergeJars(main, "UTC", here).exit()).isZero();
    assertThat(mergeJars(main, "Asia/Tokyo", there).exit()).isZero();
    assertThat(there).hasSameBinaryContentAs(here);
  }

  @Test
  @DisplayName("ARC-09: the archive is packed, unpacked, and remembers and recalls with a JDK only")
  void theArchiveWorks() {
    assertThat(ShellCommand.inDirectory(directory).run("tar", "-xzf", archive.toString()).exit())
        .isZero();
    Path home = directory.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    assertThat(home.resolve("caliber.service")).exists();
    assertThat(home.resolve("Dockerfile")).exists();
    Path launcher = home.resolve("bin/caliber");
    assertRemembersAndRecalls(List.of("/bin/bash", launcher.toString()));
    assertThat(runProgram(List.of("/bin/bash", launcher.toString()), "connect", "cursor").exit())
        .isZero();
    assertThat(directory.resolve(".cursor/mcp.json")).content().contains(launcher.toString());
    ShellCommandResult prepared =
        runProgram(List.of("/bin/bash", home.resolve("bin/caliber-prepare").toString()));
    assertThat(prepared.exit()).as(prepared.output()).isZero();
    assertThat(home.resolve("lib/caliber.aot")).isNotEmptyFile();
    ShellCommandResult beside = runProgram(List.of("/bin/bash", launcher.toString()), "version");
    assertThat(beside.exit()).as("beside a cache: " + beside.output()).isZero();
  }
}
