package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import java.time.Instant;
import java.util.Optional;

/** Candidate for the system instructions. */
public final class InstructionsCandidate {
  private InstructionsCandidate() {}

  public static CandidateContent contentOf(String text, int priority, Instant at) {
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
