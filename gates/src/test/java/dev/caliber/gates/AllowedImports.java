package dev.caliber.gates;

import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gate on dependencies between modules, which point one way. The table is the one of
 * docs/decisions/0003-modules-and-packages.md; a module may also use what the modules that it names
 * may use. A module that is not in the table may import nothing, and must be added here first.
 */
final class AllowedImports {
  static final String ROOT_PACKAGE = "dev.caliber.";

  static final Map<String, Set<String>> TABLE =
      Map.ofEntries(
          entry("kernel", Set.of()),
          entry("store", Set.of("kernel")),
          entry("lang", Set.of("kernel")),
          entry("memory", Set.of("store")),
          entry("knowledge", Set.of("memory")),
          entry("agents", Set.of("memory")),
          entry("workflow", Set.of("agents", "knowledge")),
          entry("documents", Set.of("memory")),
          entry("sync", Set.of("store")),
          entry("models", Set.of("store")),
          entry("langchain4j", Set.of("memory")),
          entry("client", Set.of()),
          entry("studio", Set.of()),
          entry(
              "server",
              Set.of("lang", "workflow", "documents", "sync", "models", "studio", "client")),
          entry("app", Set.of("server", "client")),
          entry("testkit", Set.of("kernel", "store")),
          entry("bench", Set.of("app", "testkit", "langchain4j")));

  private AllowedImports() {}

  static List<GateFinding> findings(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .flatMap(dependency -> refusedImport(dependency).stream())
        .distinct()
        .toList();
  }

  private static Optional<GateFinding> refusedImport(Dependency dependency) {
    var from = moduleOf(dependency.getOriginClass());
    var to = moduleOf(dependency.getTargetClass());
    if (from.isEmpty() || to.isEmpty() || from.equals(to)) {
      return Optional.empty();
    }
    // Models implement interfaces that other modules declare, so they see every spi package.
    boolean spi =
        from.get().equals("models")
            && dependency.getTargetClass().getPackageName().endsWith(".spi");
    if (spi || reachableModules(from.get()).contains(to.get())) {
      return Optional.empty();
    }
    return Optional.of(
        new GateFinding(
            dependency.getOriginClass().getName(),
            "module '"
                + from.get()
                + "' may not import module '"
                + to.get()
                + "' ("
                + dependency.getTargetClass().getBaseComponentType().getName()
                + ")"));
  }

  static Set<String> reachableModules(String module) {
    var all = new HashSet<String>();
    for (var next : TABLE.getOrDefault(module, Set.of())) {
      all.add(next);
      all.addAll(reachableModules(next));
    }
    return all;
  }

  static Optional<String> moduleOf(JavaClass type) {
    var name = type.getBaseComponentType().getPackageName() + ".";
    return name.startsWith(ROOT_PACKAGE)
        ? Optional.of(
            name.substring(ROOT_PACKAGE.length(), name.indexOf('.', ROOT_PACKAGE.length())))
        : Optional.empty();
  }
}
