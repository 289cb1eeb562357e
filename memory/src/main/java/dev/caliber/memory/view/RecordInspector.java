package dev.caliber.memory.view;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.util.List;

/** Inspector of written artifacts and notes; findings are traced and refuse nothing. */
public interface RecordInspector {

  /** Returns the codes of findings; must be fast. */
  List<String> inspect(Artifact artifact);

  /** Returns the codes of findings for a note; must be fast. */
  List<String> inspect(Note note);
}
