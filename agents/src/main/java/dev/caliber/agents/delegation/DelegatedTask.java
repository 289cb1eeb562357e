package dev.caliber.agents.delegation;

import dev.caliber.agents.registry.InputChecks;
import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Work to delegate.
 *
 * @param trajectory the task it belongs to
 * @param shared the records shared with the receiver
 * @param context further information in words
 */
public record DelegatedTask(
    String description,
    Id trajectory,
    SharedRecords shared,
    Optional<String> context,
    List<String> constraints) {
  public DelegatedTask {
    InputChecks.requireText("task", description);
    context.ifPresent(text -> InputChecks.requireText("context", text));
    constraints = List.copyOf(constraints);
    constraints.forEach(text -> InputChecks.requireText("constraint", text));
  }

  public static DelegatedTask of(String description, Id trajectory) {
    return new DelegatedTask(
        description, trajectory, SharedRecords.NOTHING, Optional.empty(), List.of());
  }

  public DelegatedTask withShared(SharedRecords newShared) {
    return new DelegatedTask(description, trajectory, newShared, context, constraints);
  }
}
