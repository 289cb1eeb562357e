package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Turn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which turns come together or not at all: those that hold a tool call and its result. */
final class Bundles {
  private static final String TORN = "torn ";
  private static final String TOGETHER = "tools ";

  private final Map<Id, SortedSet<Id>> groups = new HashMap<>();
  private final Set<Id> torn = new HashSet<>();

  private Bundles() {}

  static Bundles of(List<Turn> turns) {
    Map<String, Set<Id>> calls = new HashMap<>();
    Map<String, Set<Id>> results = new HashMap<>();
    for (Turn turn : turns) {
      turn.parts().forEach(part -> note(part, turn.id(), calls, results));
    }
    Bundles bundles = new Bundles();
    Set<String> all = new HashSet<>(calls.keySet());
    all.addAll(results.keySet());
    for (String call : all) {
      bundles.bind(calls.getOrDefault(call, Set.of()), results.getOrDefault(call, Set.of()));
    }
    return bundles;
  }

  private static void note(
      Part part, Id turn, Map<String, Set<Id>> calls, Map<String, Set<Id>> results) {
    switch (part) {
      case Part.ToolCall(var call, _, _) ->
          calls.computeIfAbsent(call, _ -> new HashSet<>()).add(turn);
      case Part.ToolResult(var call, _, _) ->
          results.computeIfAbsent(call, _ -> new HashSet<>()).add(turn);
      case Part.Text _, Part.Data _ -> {}
    }
  }

  private void bind(Set<Id> calls, Set<Id> results) {
    TreeSet<Id> members = new TreeSet<>(calls);
    members.addAll(results);
    if (calls.isEmpty() || results.isEmpty()) {
      torn.addAll(members);
    }
    TreeSet<Id> group = new TreeSet<>(members);
    members.forEach(turn -> group.addAll(groups.getOrDefault(turn, new TreeSet<>())));
    group.forEach(turn -> groups.put(turn, group));
  }

  /** The bundle of a turn; empty for one that stands alone. */
  Optional<String> of(Turn turn) {
    return Optional.ofNullable(groups.get(turn.id())).map(this::name);
  }

  /** The turn and those of {@code all} that come with it. */
  List<Turn> with(Turn turn, List<Turn> all) {
    SortedSet<Id> group = groups.get(turn.id());
    return group == null
        ? List.of(turn)
        : all.stream().filter(other -> group.contains(other.id())).toList();
  }

  private String name(SortedSet<Id> group) {
    return (group.stream().anyMatch(torn::contains) ? TORN : TOGETHER) + group.first();
  }

  /** Whether a part of the bundle is missing, so that it cannot be shown. */
  static boolean isTorn(String bundle) {
    return bundle.startsWith(TORN);
  }
}
