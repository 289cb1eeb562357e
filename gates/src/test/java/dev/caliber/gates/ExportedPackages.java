package dev.caliber.gates;

import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gate on the packages that a module exports (STYLE rule 2): classes of other modules may use no
 * other package of it, so public types of those others are the module's own business. An entry may
 * also name one type of a package that is not exported, such as the class whose factory methods
 * make implementations. A module that is not in the table exports nothing.
 */
final class ExportedPackages {
  static final Map<String, Set<String>> EXPORTED =
      Map.ofEntries(
          entry(
              "kernel",
              Set.of("kernel", "kernel.config", "kernel.pack", "kernel.settings", "kernel.toml")),
          entry(
              "store",
              Set.of(
                  "store",
                  "store.job",
                  "store.maintenance",
                  "store.search",
                  "store.spi",
                  "store.jdbc.Stores",
                  "store.search.index.SearchIndexes")),
          entry(
              "lang",
              Set.of(
                  "lang",
                  "lang.ast",
                  "lang.diagnostic",
                  "lang.pack",
                  "lang.prompt",
                  "lang.syntax",
                  "lang.pack.manifest.PackSource",
                  "lang.pack.manifest.PackSchema")),
          entry(
              "memory",
              Set.of(
                  "memory",
                  "memory.command",
                  "memory.context",
                  "memory.context.explain",
                  "memory.context.window",
                  "memory.deployment",
                  "memory.event",
                  "memory.pcp",
                  "memory.record",
                  "memory.spi",
                  "memory.text",
                  "memory.view",
                  "memory.forget.ForgetFilteredStore",
                  "memory.recall.RecordVisibility")),
          entry(
              "agents",
              Set.of(
                  "agents",
                  "agents.command",
                  "agents.conflict",
                  "agents.delegation",
                  "agents.lease",
                  "agents.mail",
                  "agents.registry")),
          entry("models", Set.of("models")),
          entry("langchain4j", Set.of("langchain4j")),
          entry("client", Set.of("client")),
          entry("studio", Set.of("studio")),
          entry("server", Set.of("server", "server.access", "server.operation", "server.settings")),
          entry("app", Set.of()),
          entry("testkit", Set.of("testkit", "testkit.crash")),
          entry("bench", Set.of()));

  private ExportedPackages() {}

  static List<GateFinding> findings(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .flatMap(dependency -> refusedUse(dependency).stream())
        .distinct()
        .toList();
  }

  private static Optional<GateFinding> refusedUse(Dependency dependency) {
    var from = AllowedImports.moduleOf(dependency.getOriginClass());
    var to = AllowedImports.moduleOf(dependency.getTargetClass());
    if (from.isEmpty() || to.isEmpty() || from.equals(to)) {
      return Optional.empty();
    }
    var used = topLevel(dependency.getTargetClass().getBaseComponentType());
    if (isExported(to.get(), used)) {
      return Optional.empty();
    }
    return Optional.of(
        new GateFinding(
            dependency.getOriginClass().getName(),
            "package '%s' is not exported by module '%s' (%s)"
                .formatted(relativeName(used.getPackageName()), to.get(), used.getName())));
  }

  private static boolean isExported(String module, JavaClass type) {
    var exported = EXPORTED.getOrDefault(module, Set.of());
    return exported.contains(relativeName(type.getPackageName()))
        || exported.contains(relativeName(type.getName()));
  }

  private static JavaClass topLevel(JavaClass type) {
    return type.getEnclosingClass().map(ExportedPackages::topLevel).orElse(type);
  }

  private static String relativeName(String name) {
    return name.substring(AllowedImports.ROOT_PACKAGE.length());
  }

  /** Returns the names of the table that name no package and no type of their module. */
  static List<GateFinding> unknownNames(JavaClasses classes) {
    return EXPORTED.entrySet().stream()
        .flatMap(
            module ->
                module.getValue().stream()
                    .filter(name -> classes.stream().noneMatch(type -> isNamed(type, name)))
                    .map(
                        name ->
                            new GateFinding(
                                "ExportedPackages",
                                "'%s' is no package or type of module '%s'"
                                    .formatted(name, module.getKey()))))
        .toList();
  }

  private static boolean isNamed(JavaClass type, String name) {
    var full = AllowedImports.ROOT_PACKAGE + name;
    return type.getPackageName().equals(full) || type.getName().equals(full);
  }
}
