package dev.caliber.agents;

import java.util.List;
import java.util.stream.Stream;

/**
 * What one who hands a task over says about it.
 *
 * @param reason why it is handed over
 */
public record Outline(
    String notes,
    List<String> nextSteps,
    List<String> blockers,
    List<String> openQuestions,
    String reason) {
  public Outline {
    Names.requireFilled("notes of a handoff", notes);
    Names.requireFilled("reason of a handoff", reason);
    nextSteps = List.copyOf(nextSteps);
    blockers = List.copyOf(blockers);
    openQuestions = List.copyOf(openQuestions);
    Stream.of(nextSteps, blockers, openQuestions)
        .flatMap(List::stream)
        .forEach(text -> Names.requireFilled("line of a handoff", text));
  }

  public static Outline of(String notes, String reason) {
    return new Outline(notes, List.of(), List.of(), List.of(), reason);
  }
}
