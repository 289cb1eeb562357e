package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * Answer of a judge.
 *
 * @param method how it was found, such as {@code model openai:gpt-4o}
 * @param contradicted the sources of the statements that cannot be true with the later one
 */
public record ContradictionJudgement(String method, List<Id> contradicted) {
  public ContradictionJudgement {
    contradicted = List.copyOf(contradicted);
  }
}
