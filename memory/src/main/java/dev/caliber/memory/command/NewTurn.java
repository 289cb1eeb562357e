package dev.caliber.memory.command;

import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.spi.TokenCounter;
import java.util.List;
import java.util.Optional;

/**
 * Turn to append.
 *
 * @param tokens number of tokens from the model; empty: memory counts them
 * @param model name of the model that wrote it, if one did
 */
public record NewTurn(
    TurnRole role,
    List<TurnPart> parts,
    Optional<Integer> tokens,
    Optional<String> model,
    Labels labels) {
  public NewTurn {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw MemoryException.empty("turn");
    }
    model.ifPresent(name -> TextChecks.requireNotBlank("model", name));
    if (tokens.filter(count -> count < 0).isPresent()) {
      throw MemoryException.invalid("tokens", "0 or more", tokens.get().toString());
    }
  }

  public static NewTurn of(TurnRole turnRole, TurnPart... parts) {
    return new NewTurn(turnRole, List.of(parts), Optional.empty(), Optional.empty(), Labels.none());
  }

  public static NewTurn user(String text) {
    return of(TurnRole.USER, TurnPart.text(text));
  }

  public static NewTurn assistant(String text) {
    return of(TurnRole.ASSISTANT, TurnPart.text(text));
  }

  public NewTurn withModel(String newModel, int newTokens) {
    return new NewTurn(role, parts, Optional.of(newTokens), Optional.of(newModel), labels);
  }

  /** Returns this turn with its number of tokens, counted if it was not given. */
  public NewTurn withTokenCount(TokenCounter counter) {
    return tokens.isPresent()
        ? this
        : new NewTurn(role, parts, Optional.of(countTokens(counter)), model, labels);
  }

  private int countTokens(TokenCounter counter) {
    return parts.stream().mapToInt(turnPart -> counter.count(turnPart.searchableText())).sum();
  }

  public NewTurn withLabels(Labels newLabels) {
    return new NewTurn(role, parts, tokens, model, newLabels);
  }
}
