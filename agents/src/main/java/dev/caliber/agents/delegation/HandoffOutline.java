package dev.caliber.agents.delegation;

import dev.caliber.agents.registry.InputChecks;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sender's notes on a handoff.
 *
 * @param reason why the task is handed over
 */
public record HandoffOutline(
    String notes,
    List<String> nextSteps,
    List<String> blockers,
    List<String> openQuestions,
    String reason) {
  public HandoffOutline {
    InputChecks.requireText("notes of a handoff", notes);
    InputChecks.requireText("reason of a handoff", reason);
    nextSteps = List.copyOf(nextSteps);
    blockers = List.copyOf(blockers);
    openQuestions = List.copyOf(openQuestions);
    Stream.of(nextSteps, blockers, openQuestions)
        .flatMap(List::stream)
        .forEach(text -> InputChecks.requireText("line of a handoff", text));
  }

  public static HandoffOutline of(String notes, String reason) {
    return new HandoffOutline(notes, List.of(), List.of(), List.of(), reason);
  }
}
