package dev.caliber.memory;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import java.util.List;

/**
 * Looks over artifacts and notes in the commit that writes them. It may say what is wrong, which is
 * traced, and refuses nothing.
 */
public interface Inspector {

  /** What is wrong with it, as codes; nothing slow. */
  List<String> inspect(Artifact artifact);

  /** The same of a note. */
  List<String> inspect(Note note);
}
