package dev.caliber.memory.spi;

import java.util.List;

/**
 * Says what cannot be true together, where rules see no reason. It may be slow and may fail: it is
 * called before a commit, never inside one, and when it throws, the rules alone decide and what is
 * written says so.
 */
@FunctionalInterface
public interface ContradictionJudge {

  /** Which of the earlier statements the later one contradicts. */
  Judgement judge(String later, List<Passage> earlier);
}
