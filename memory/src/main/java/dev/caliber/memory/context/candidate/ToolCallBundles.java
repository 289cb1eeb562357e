package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Bundles of turns that are included together or not at all: tool calls and their results. */
public final class ToolCallBundles {
  private static final String TORN = "torn ";
  private static final String TOGETHER = "tools ";

  private final Map<Id, SortedSet<Id>> groups = new HashMap<>();
  private final Set<Id> torn = new HashSet<>();

  private ToolCallBundles() {}

  static ToolCallBundles of(List<Turn> turns) {
    Map<String, Set<Id>> calls = new HashMap<>();
    Map<String, Set<Id>> results = new HashMap<>();
    for (Turn turn : turns) {
      turn.parts().forEach(turnPart -> collectToolCalls(turnPart, turn.id(), calls, results));
    }
    ToolCallBundles toolCallBundles = new ToolCallBundles();
    Set<String> all = new HashSet<>(calls.keySet());
    all.addAll(results.keySet());
    for (String call : all) {
      toolCallBundles.mergeGroup(
          calls.getOrDefault(call, Set.of()), results.getOrDefault(call, Set.of()));
    }
    return toolCallBundles;
  }

  private static void collectToolCalls(
      TurnPart turnPart, Id turn, Map<String, Set<Id>> calls, Map<String, Set<Id>> results) {
    switch (turnPart) {
      case TurnPart.ToolCallPart(var call, _, _) ->
          calls.computeIfAbsent(call, _ -> new HashSet<>()).add(turn);
      case TurnPart.ToolResultPart(var call, _, _) ->
          results.computeIfAbsent(call, _ -> new HashSet<>()).add(turn);
      case TurnPart.TextPart _, TurnPart.DataPart _ -> {}
    }
  }

  private void mergeGroup(Set<Id> calls, Set<Id> results) {
    TreeSet<Id> members = new TreeSet<>(calls);
    members.addAll(results);
    if (calls.isEmpty() || results.isEmpty()) {
      torn.addAll(members);
    }
    TreeSet<Id> group = new TreeSet<>(members);
    members.forEach(turn -> group.addAll(groups.getOrDefault(turn, new TreeSet<>())));
    group.forEach(turn -> groups.put(turn, group));
  }

  /** Returns the bundle of a turn; empty for a turn without one. */
  Optional<String> bundleOf(Turn turn) {
    return Optional.ofNullable(groups.get(turn.id())).map(this::bundleName);
  }

  /** Returns the turn and those of {@code all} in its bundle. */
  List<Turn> bundledTurns(Turn turn, List<Turn> all) {
    SortedSet<Id> group = groups.get(turn.id());
    return group == null
        ? List.of(turn)
        : all.stream().filter(other -> group.contains(other.id())).toList();
  }

  private String bundleName(SortedSet<Id> group) {
    return (group.stream().anyMatch(torn::contains) ? TORN : TOGETHER) + group.first();
  }

  /** Returns whether a part of the bundle is missing, so that it cannot be shown. */
  public static boolean isIncomplete(String bundle) {
    return bundle.startsWith(TORN);
  }
}
