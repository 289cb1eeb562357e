package dev.caliber.lang.pack;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Differences between two packs in their behaviour: permissions first, then limits and budgets,
 * then the rest. The same two packs always give the same list.
 */
public final class PackDiff {
  private final List<PackChange> changes;

  private PackDiff(List<PackChange> changes) {
    this.changes = List.copyOf(changes);
  }

  /**
   * Subjects of changes, in the order of a list: permissions, costs, retention, and then everything
   * else.
   */
  public enum ChangeArea {
    CAPABILITY,
    PROGRAM,
    TOOL_ACCESS,
    AGENT_STATE,
    SECRET,
    CONNECTION,
    TIME_LIMIT,
    TOKEN_BUDGET,
    RETENTION,
    PROFILE,
    PROMPT,
    CONTRACT,
    MEMORY,
    POLICY,
    INJECTION,
    FORMAT,
    ROUTING,
    STRICTNESS,
    META,
    FILE;

    /** Returns whether it is about permissions or budgets. */
    public boolean isSensitive() {
      return compareTo(RETENTION) <= 0;
    }
  }

  /**
   * One difference.
   *
   * @param subject the changed thing, such as {@code agents.support}
   * @param what the changed property
   * @param before its value in the first pack; none if the first pack has no such thing
   * @param after its value in the second pack
   */
  public record PackChange(
      ChangeArea area,
      String subject,
      String what,
      Optional<String> before,
      Optional<String> after) {}

  /** Returns the changes from the first pack to the second. */
  public static PackDiff of(
      ComposeResult.ComposeSuccess before, ComposeResult.ComposeSuccess after) {
    var old = new PackDiffProperties(before).all();
    var fresh = new PackDiffProperties(after).all();
    var facts = new TreeSet<>(old.keySet());
    facts.addAll(fresh.keySet());
    return new PackDiff(
        facts.stream()
            .map(
                fact ->
                    new PackChange(
                        fact.area(),
                        fact.subject(),
                        fact.what(),
                        Optional.ofNullable(old.get(fact)),
                        Optional.ofNullable(fresh.get(fact))))
            .filter(packChange -> !packChange.before().equals(packChange.after()))
            .toList());
  }

  public List<PackChange> changes() {
    return changes;
  }
}
