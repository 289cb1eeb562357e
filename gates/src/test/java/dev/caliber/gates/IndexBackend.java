package dev.caliber.gates;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Lucene is used behind {@code SearchIndex} alone, so that another index changes no caller. */
final class IndexBackend {
  private static final String BACKEND = "org.apache.lucene";
  private static final String OWNER = "dev.caliber.store.search";

  private IndexBackend() {}

  static List<Finding> findings(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.getPackageName().startsWith("dev.caliber"))
        .filter(type -> !type.getPackageName().equals(OWNER))
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(use -> use.getTargetClass().getPackageName().startsWith(BACKEND))
        .map(
            use ->
                new Finding(
                    use.getOriginClass().getFullName(),
                    use.getTargetClass().getName() + " is behind SearchIndex"))
        .distinct()
        .toList();
  }
}
