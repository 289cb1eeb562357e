package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import java.time.Instant;
import java.util.Optional;

/** The instructions as a candidate. */
final class Instructions {
  private Instructions() {}

  static Content of(String text, int priority, Instant at) {
    Body body = Bodies.instructions(text);
    return new Content(
        new Candidate(
            SourceKind.SYSTEM,
            Id.deterministic("instructions", text),
            0,
            Section.SYSTEM,
            priority,
            Scores.of(1, 1),
            at,
            0,
            Section.SYSTEM,
            Optional.empty(),
            body.hash()),
        body);
  }
}
