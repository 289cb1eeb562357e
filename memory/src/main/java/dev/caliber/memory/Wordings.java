package dev.caliber.memory;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import java.util.ArrayList;
import java.util.List;

/** Everything that records say or have said in words. */
record Wordings(MemoryView view) {

  /** Of one record; nothing if it is not there. */
  List<String> of(EntityRef record) {
    return switch (record.type()) {
      case TURN -> view.snapshot().find(Turn.TABLE, record.id()).map(Turn::words).stream().toList();
      case ARTIFACT ->
          view.snapshot().find(Artifact.TABLE, record.id()).stream()
              .flatMap(artifact -> artifact.content().text().stream())
              .toList();
      case NOTE -> view.snapshot().find(Note.TABLE, record.id()).map(this::of).orElse(List.of());
      case TRAJECTORY, SCOPE, AGENT, CHECKPOINT, WINDOW, SUBJECT -> List.of();
    };
  }

  private List<String> of(Note note) {
    List<String> all = new ArrayList<>();
    view.history(note.id()).forEach(past -> all.add(past.note().content()));
    all.add(note.content());
    return all;
  }
}
