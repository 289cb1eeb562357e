package dev.caliber.app.shell;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;

/** Texts of records, by which people recognise them in a table. */
public record RecordTexts(StoreOperations operations) {

  /** Returns the text of a record as a cell; records of other kinds have none. */
  public String of(EntityRef record) {
    OperationInput id = OperationInput.of("id", record.id());
    return TextTable.toCell(
        switch (record.type()) {
          case NOTE -> operations.call("get_note", id, Note.class).content();
          case TURN -> operations.call("get_turn", id, Turn.class).searchableText();
          case ARTIFACT ->
              operations
                  .call("get_artifact", id, Artifact.class)
                  .content()
                  .text()
                  .orElse("(no text)");
          case TRAJECTORY -> operations.call("get_trajectory", id, Trajectory.class).goal();
          case SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> "";
        });
  }
}
