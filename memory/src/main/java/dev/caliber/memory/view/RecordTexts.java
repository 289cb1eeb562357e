package dev.caliber.memory.view;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import java.util.ArrayList;
import java.util.List;

/** Present and past texts of records. */
public record RecordTexts(MemoryView view) {

  /** Returns the texts of one record; empty if it does not exist. */
  public List<String> textsOf(EntityRef record) {
    return switch (record.type()) {
      case TURN ->
          view.snapshot().find(Turn.TABLE, record.id()).map(Turn::searchableText).stream().toList();
      case ARTIFACT ->
          view.snapshot().find(Artifact.TABLE, record.id()).stream()
              .flatMap(artifact -> artifact.content().text().stream())
              .toList();
      case NOTE ->
          view.snapshot().find(Note.TABLE, record.id()).map(this::textsOfNote).orElse(List.of());
      case TRAJECTORY, SCOPE, AGENT, CHECKPOINT, WINDOW, SUBJECT -> List.of();
    };
  }

  private List<String> textsOfNote(Note note) {
    List<String> all = new ArrayList<>();
    view.noteHistory(note.id()).forEach(past -> all.add(past.note().content()));
    all.add(note.content());
    return all;
  }
}
