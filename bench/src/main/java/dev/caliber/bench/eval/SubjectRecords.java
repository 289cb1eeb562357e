package dev.caliber.bench.eval;

import dev.caliber.memory.command.NewTurn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The records of one subject of a shared space. */
record SubjectRecords(String subject, List<RecordedSession> sessions) {

  SubjectRecords {
    sessions = List.copyOf(sessions);
  }

  /**
   * Turns, notes and artifacts of one occasion. Without turns and artifacts it is no session of
   * memory: its notes stand alone.
   *
   * @param name unique in the space
   */
  record RecordedSession(
      String name,
      Instant time,
      List<NewTurn> turns,
      List<SubjectNote> notes,
      List<String> artifacts) {
    RecordedSession {
      turns = List.copyOf(turns);
      notes = List.copyOf(notes);
      artifacts = List.copyOf(artifacts);
    }

    boolean isOnlyNotes() {
      return turns.isEmpty() && artifacts.isEmpty();
    }
  }

  /**
   * A note to be written.
   *
   * @param entity the person it is about; empty: the subject, as in a plain {@code remember}
   * @param evidence the external ids of the turns that it comes from
   */
  record SubjectNote(String text, Optional<String> entity, List<String> evidence) {
    SubjectNote {
      evidence = List.copyOf(evidence);
    }

    static SubjectNote of(String text) {
      return new SubjectNote(text, Optional.empty(), List.of());
    }
  }
}
