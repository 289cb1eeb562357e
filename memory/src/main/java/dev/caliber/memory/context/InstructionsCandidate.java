package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Optional;

/** Candidate for the system instructions. */
final class InstructionsCandidate {
  private InstructionsCandidate() {}

  static CandidateContent contentOf(String text, int priority, Instant at) {
    RecordBody recordBody = RecordBodyFactory.instructionsBody(text);
    return new CandidateContent(
        new Candidate(
            SourceKind.SYSTEM,
            Id.derivedFrom("instructions", text),
            0,
            WindowSection.SYSTEM,
            priority,
            CandidateScores.of(1, 1),
            at,
            0,
            WindowSection.SYSTEM,
            Optional.empty(),
            recordBody.hash()),
        recordBody);
  }
}
