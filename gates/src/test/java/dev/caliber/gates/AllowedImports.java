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
 * Dependencies between rooms point one way. The table is the one of docs/decisions/0003-rooms.md; a
 * room may also use what the rooms it names may use. A module that is not in the table may import
 * nothing, and must be added here first.
 */
final class AllowedImports {
  private static final String HOUSE = "dev.caliber.";

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

  static List<Finding> findings(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .flatMap(dependency -> refusal(dependency).stream())
        .distinct()
        .toList();
  }

  private static Optional<Finding> refusal(Dependency dependency) {
    var from = room(dependency.getOriginClass());
    var to = room(dependency.getTargetClass());
    if (from.isEmpty() || to.isEmpty() || from.equals(to)) {
      return Optional.empty();
    }
    // Models implement what other rooms declare, so they see every spi package.
    boolean spi =
        from.get().equals("models")
            && dependency.getTargetClass().getPackageName().endsWith(".spi");
    if (spi || reachable(from.get()).contains(to.get())) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            dependency.getOriginClass().getName(),
            "room '"
                + from.get()
                + "' may not import room '"
                + to.get()
                + "' ("
                + dependency.getTargetClass().getBaseComponentType().getName()
                + ")"));
  }

  static Set<String> reachable(String room) {
    var all = new HashSet<String>();
    for (var next : TABLE.getOrDefault(room, Set.of())) {
      all.add(next);
      all.addAll(reachable(next));
    }
    return all;
  }

  private static Optional<String> room(JavaClass type) {
    var name = type.getBaseComponentType().getPackageName() + ".";
    return name.startsWith(HOUSE)
        ? Optional.of(name.substring(HOUSE.length(), name.indexOf('.', HOUSE.length())))
        : Optional.empty();
  }
}
