package dev.caliber.gates;

import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Only the command line prints; everything else logs or returns. */
final class StandardStreams {
  private StandardStreams() {}

  static List<Finding> findings(JavaClasses classes) {
    var result = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.allowEmptyShould(true).evaluate(classes);
    return result.getFailureReport().getDetails().stream()
        .map(detail -> new Finding("streams", detail))
        .toList();
  }
}
