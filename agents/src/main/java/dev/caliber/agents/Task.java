package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Work that is given to somebody.
 *
 * @param trajectory the task it is a part of
 * @param shared what the receiver gets to know
 * @param context what else to know, in words
 */
public record Task(
    String description,
    Id trajectory,
    Shared shared,
    Optional<String> context,
    List<String> constraints) {
  public Task {
    Names.requireFilled("task", description);
    context.ifPresent(text -> Names.requireFilled("context", text));
    constraints = List.copyOf(constraints);
    constraints.forEach(text -> Names.requireFilled("constraint", text));
  }

  public static Task of(String description, Id trajectory) {
    return new Task(description, trajectory, Shared.NOTHING, Optional.empty(), List.of());
  }

  public Task sharing(Shared newShared) {
    return new Task(description, trajectory, newShared, context, constraints);
  }
}
