package dev.caliber.memory.spi;

import java.util.List;

/**
 * Judge of contradictions that rules do not find. It may be slow and may fail: it is called before
 * a commit, never inside one. If it throws, the rules alone decide, and the metadata of the note
 * says so.
 */
@FunctionalInterface
public interface ContradictionJudge {

  /** Returns which of the earlier statements the later one contradicts. */
  ContradictionJudgement judge(String later, List<Passage> earlier);
}
