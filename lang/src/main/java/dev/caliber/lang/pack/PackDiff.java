package dev.caliber.lang.pack;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What behaves differently after another pack is deployed: permissions first, then limits and
 * budgets, then the rest. The same two packs always give the same list.
 */
public final class PackDiff {
  private final List<Change> changes;

  private PackDiff(List<Change> changes) {
    this.changes = List.copyOf(changes);
  }

  /**
   * What a change is about, in the order of a list: who may do what, what it may cost, how long
   * things stay, and then everything else.
   */
  public enum Area {
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

    /** Whether it is about permissions or budgets. */
    public boolean isSensitive() {
      return compareTo(RETENTION) <= 0;
    }
  }

  /**
   * One difference.
   *
   * @param subject what it is about, such as {@code agents.support}
   * @param what which property of it
   * @param before its value in the first pack; none if the first pack has no such thing
   * @param after its value in the second pack
   */
  public record Change(
      Area area, String subject, String what, Optional<String> before, Optional<String> after) {}

  /** What changes from the first to the second. */
  public static PackDiff of(ComposeResult.Composed before, ComposeResult.Composed after) {
    var old = new PackFacts(before).all();
    var fresh = new PackFacts(after).all();
    var facts = new TreeSet<>(old.keySet());
    facts.addAll(fresh.keySet());
    return new PackDiff(
        facts.stream()
            .map(
                fact ->
                    new Change(
                        fact.area(),
                        fact.subject(),
                        fact.what(),
                        Optional.ofNullable(old.get(fact)),
                        Optional.ofNullable(fresh.get(fact))))
            .filter(change -> !change.before().equals(change.after()))
            .toList());
  }

  public List<Change> changes() {
    return changes;
  }
}
