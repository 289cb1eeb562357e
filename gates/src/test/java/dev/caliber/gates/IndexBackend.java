package dev.caliber.gates;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Gate on Lucene: only the packages of search use it, so another index changes no caller. */
final class IndexBackend {
  private static final String BACKEND = "org.apache.lucene";
  private static final String OWNER = "dev.caliber.store.search.";

  private IndexBackend() {}

  static List<GateFinding> findings(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.getPackageName().startsWith("dev.caliber"))
        .filter(type -> !(type.getPackageName() + ".").startsWith(OWNER))
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(use -> use.getTargetClass().getPackageName().startsWith(BACKEND))
        .map(
            use ->
                new GateFinding(
                    use.getOriginClass().getFullName(),
                    use.getTargetClass().getName() + " may be used behind SearchIndex only"))
        .distinct()
        .toList();
  }
}
