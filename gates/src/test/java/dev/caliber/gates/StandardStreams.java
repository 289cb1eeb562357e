package dev.caliber.gates;

import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;

/** Gate on standard streams: only the command line prints; everything else logs or returns. */
final class StandardStreams {
  private StandardStreams() {}

  static List<GateFinding> findings(JavaClasses classes) {
    var result = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.allowEmptyShould(true).evaluate(classes);
    return result.getFailureReport().getDetails().stream()
        .map(detail -> new GateFinding("streams", detail))
        .toList();
  }
}
