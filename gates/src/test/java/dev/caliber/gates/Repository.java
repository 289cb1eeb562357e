package dev.caliber.gates;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The repository as the gates read it: its modules, sources, classes and tracked files. */
final class Repository {
  /** Modules whose main code is a tool for tests or measurements, not part of the product. */
  static final Set<String> TOOLS = Set.of("testkit", "bench", "gates");

  /** Cache of imported classes: to import them takes longer than to check them. */
  private static final Map<List<String>, JavaClasses> READ = new ConcurrentHashMap<>();

  private Repository() {}

  static Path root() {
    return Path.of(
        Objects.requireNonNull(
            System.getProperty("caliber.root"), "caliber.root is set by the build"));
  }

  static List<String> modules() {
    return children(root()).stream()
        .filter(child -> Files.exists(child.resolve("pom.xml")))
        .map(child -> String.valueOf(child.getFileName()))
        .sorted()
        .toList();
  }

  static List<String> productModules() {
    return modules().stream().filter(Predicate.not(TOOLS::contains)).toList();
  }

  static List<JavaSource> mainSources(List<String> modules) {
    return JavaSource.under(
        root(), modules.stream().map(module -> Path.of(module, "src/main/java")).toList());
  }

  /** Returns all test sources, and testkit, whose main code is contracts for tests. */
  static List<JavaSource> testSources() {
    var places = new ArrayList<Path>();
    modules().forEach(module -> places.add(Path.of(module, "src/test/java")));
    places.add(Path.of("testkit/src/main/java"));
    return JavaSource.under(root(), places);
  }

  static JavaClasses classes(List<String> modules) {
    return READ.computeIfAbsent(modules, Repository::read);
  }

  private static JavaClasses read(List<String> modules) {
    var places =
        modules.stream()
            .map(module -> root().resolve(module).resolve("target/classes"))
            .filter(Files::exists)
            .toList();
    return new ClassFileImporter().importPaths(places);
  }

  /** Returns the files that git tracks or would track; without git, all source files. */
  static List<Path> trackedFiles() {
    var listed =
        ShellCommand.inDirectory(root())
            .run("git", "ls-files", "--cached", "--others", "--exclude-standard");
    if (listed.exit() == 0) {
      return listed.output().lines().map(root()::resolve).filter(Files::isRegularFile).toList();
    }
    return walk(root()).filter(file -> !inBuildDirectory(root().relativize(file))).toList();
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Path> walk(Path directory) {
    try (var files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> children(Path directory) {
    try (var files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean inBuildDirectory(Path file) {
    return Stream.of(".git", "target", ".work")
        .map(Path::of)
        .anyMatch(name -> contains(file, name));
  }

  private static boolean contains(Path file, Path name) {
    for (var part : file) {
      if (part.equals(name)) {
        return true;
      }
    }
    return false;
  }
}
