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
public record NewNote(
    String text, Optional<String> subject, Optional<String> about, Optional<NoteType> type) {
  public NewNote {
    TextChecks.requireNotBlank("text", text);
  }

  public static NewNote of(String text) {
    return new NewNote(text, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public NewNote withSubject(String newSubject) {
    return new NewNote(text, Optional.of(newSubject), about, type);
  }

  public NewNote withAbout(String entity) {
    return new NewNote(text, subject, Optional.of(entity), type);
  }

  public NewNote withType(NoteType newType) {
    return new NewNote(text, subject, about, Optional.of(newType));
  }
}
