package dev.caliber.memory.spi;

import dev.caliber.kernel.Id;
import java.util.List;

/**
 * What a judge has said.
 *
 * @param method how it was found, such as {@code model openai:gpt-4o}
 * @param contradicted the sources of the statements that cannot be true with the later one
 */
public record Judgement(String method, List<Id> contradicted) {
  public Judgement {
    contradicted = List.copyOf(contradicted);
  }
}
