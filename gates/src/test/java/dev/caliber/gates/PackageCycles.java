package dev.caliber.gates;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Gate on packages: none may reach itself through others (STYLE rule 3). */
final class PackageCycles {
  private PackageCycles() {}

  static List<GateFinding> findings(JavaClasses classes) {
    var result =
        slices()
            .matching("dev.caliber.(**)")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true)
            .evaluate(classes);
    return result.getFailureReport().getDetails().stream()
        .map(detail -> new GateFinding("packages", detail))
        .toList();
  }
}
