package dev.caliber.memory.command;

import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.spi.TokenCounter;
import java.util.List;
import java.util.Optional;

/**
 * A turn to be appended.
 *
 * @param tokens as the model counted; empty: the counter of this memory counts
 * @param model the model that said it, if one did
 */
public record NewTurn(
    Role role, List<Part> parts, Optional<Integer> tokens, Optional<String> model, Labels labels) {
  public NewTurn {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw MemoryException.empty("turn");
    }
    model.ifPresent(name -> Texts.requireFilled("model", name));
    if (tokens.filter(count -> count < 0).isPresent()) {
      throw MemoryException.invalid("tokens", "0 or more", tokens.get().toString());
    }
  }

  public static NewTurn of(Role role, Part... parts) {
    return new NewTurn(role, List.of(parts), Optional.empty(), Optional.empty(), Labels.none());
  }

  public static NewTurn user(String text) {
    return of(Role.USER, Part.text(text));
  }

  public static NewTurn assistant(String text) {
    return of(Role.ASSISTANT, Part.text(text));
  }

  public NewTurn by(String newModel, int newTokens) {
    return new NewTurn(role, parts, Optional.of(newTokens), Optional.of(newModel), labels);
  }

  /** With its tokens: as they were given, else as they are counted. */
  public NewTurn counted(TokenCounter counter) {
    return tokens.isPresent()
        ? this
        : new NewTurn(role, parts, Optional.of(count(counter)), model, labels);
  }

  private int count(TokenCounter counter) {
    return parts.stream().mapToInt(part -> counter.count(part.words())).sum();
  }

  public NewTurn labelled(Labels newLabels) {
    return new NewTurn(role, parts, tokens, model, newLabels);
  }
}
