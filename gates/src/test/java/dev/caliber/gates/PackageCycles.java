package dev.caliber.gates;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** No package may reach itself through others (STYLE rule 3). */
final class PackageCycles {
  private PackageCycles() {}

  static List<Finding> findings(JavaClasses classes) {
    var result =
        slices()
            .matching("dev.caliber.(**)")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true)
            .evaluate(classes);
    return result.getFailureReport().getDetails().stream()
        .map(detail -> new Finding("packages", detail))
        .toList();
  }
}
