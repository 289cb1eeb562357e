package dev.caliber.memory.command;

import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Texts;
import java.util.Optional;

/**
 * Something to remember, in the fewest words.
 *
 * @param subject whose memory it is
 * @param about what it is about; empty: the subject, or else the space
 * @param type empty: a preference if it reads like one, else a fact
 */
public record Remember(
    String text, Optional<String> subject, Optional<String> about, Optional<NoteType> type) {
  public Remember {
    Texts.requireFilled("text", text);
  }

  public static Remember of(String text) {
    return new Remember(text, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Remember forSubject(String newSubject) {
    return new Remember(text, Optional.of(newSubject), about, type);
  }

  public Remember about(String entity) {
    return new Remember(text, subject, Optional.of(entity), type);
  }

  public Remember as(NoteType newType) {
    return new Remember(text, subject, about, Optional.of(newType));
  }
}
