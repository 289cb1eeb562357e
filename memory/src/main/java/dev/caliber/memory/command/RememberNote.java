package dev.caliber.memory.command;

import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TextChecks;
import java.util.Optional;

/**
 * Note to remember, in its shortest form.
 *
 * @param subject subject that it belongs to
 * @param about entity that it is about; empty: the subject, or else the space
 * @param type empty: a preference if it reads like one, else a fact
 */
public record RememberNote(
    String text, Optional<String> subject, Optional<String> about, Optional<NoteType> type) {
  public RememberNote {
    TextChecks.requireNotBlank("text", text);
  }

  public static RememberNote of(String text) {
    return new RememberNote(text, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public RememberNote withSubject(String newSubject) {
    return new RememberNote(text, Optional.of(newSubject), about, type);
  }

  public RememberNote withAbout(String entity) {
    return new RememberNote(text, subject, Optional.of(entity), type);
  }

  public RememberNote withType(NoteType newType) {
    return new RememberNote(text, subject, about, Optional.of(newType));
  }
}
