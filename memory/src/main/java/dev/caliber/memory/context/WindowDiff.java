package dev.caliber.memory.context;

import dev.caliber.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What another window has that one has not, and why. A record that both show is in at most one of
 * the lists.
 *
 * @param inputs what went in differently, by name: both values
 * @param added in the other one only, with why it was not in this one
 * @param removed in this one only, with why it is not in the other
 * @param changed in both, and it says something else
 * @param resized in both, saying the same with other tokens
 * @param moved in both, saying the same with as many tokens, in another section or under another
 *     number
 */
public record WindowDiff(
    Map<String, List<String>> inputs,
    List<Change> added,
    List<Change> removed,
    List<Change> changed,
    List<Change> resized,
    List<Change> moved) {

  private static final String NO_CANDIDATE = "no rule offered it";

  /** One record; tokens here and there. */
  public record Change(Candidate candidate, int before, int after, String why) {}

  public WindowDiff {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changed = List.copyOf(changed);
    resized = List.copyOf(resized);
    moved = List.copyOf(moved);
  }

  /**
   * @param now where the records say what became of them between the moments of the two
   */
  static WindowDiff between(Window one, Window other, Snapshot now) {
    Side before = Side.of(one);
    Side after = Side.of(other);
    Since since = new Since(now);
    return new WindowDiff(
        ToldInputs.differing(one, other),
        after.without(before, since, (line, why) -> change(line, 0, line.tokens(), why)),
        before.without(after, since, (line, why) -> change(line, line.tokens(), 0, why)),
        before.with(after, ShownTwice::isChanged),
        before.with(after, ShownTwice::isResized),
        before.with(after, ShownTwice::isMoved));
  }

  private static Change change(LedgerLine line, int before, int after, String why) {
    return new Change(line.candidate(), before, after, why);
  }

  public boolean isEmpty() {
    return Stream.of(added, removed, changed, resized, moved).allMatch(List::isEmpty);
  }

  /** One of the two windows, line by line. */
  private record Side(Window window, Map<String, LedgerLine> lines) {

    /** How a line and a reason become a change. */
    private interface Telling {
      Change of(LedgerLine line, String why);
    }

    static Side of(Window window) {
      return new Side(
          window,
          window.ledger().stream()
              .collect(
                  Collectors.toMap(
                      Side::key, line -> line, (line, _) -> line, LinkedHashMap::new)));
    }

    /** The instructions are one thing, whatever they say. */
    private static String key(LedgerLine line) {
      Candidate candidate = line.candidate();
      return candidate.kind() == SourceKind.SYSTEM
          ? candidate.kind().name()
          : candidate.kind() + " " + candidate.id();
    }

    List<Change> without(Side there, Since since, Telling telling) {
      List<Change> changes = new ArrayList<>();
      lines.forEach(
          (key, line) -> {
            LedgerLine other = there.lines.get(key);
            if (line.decision().isIn() && (other == null || !other.decision().isIn())) {
              String why = other == null ? missed(line, there, since) : other.reason();
              changes.add(telling.of(line, why));
            }
          });
      return changes;
    }

    private String missed(LedgerLine line, Side there, Since since) {
      return since
          .why(line.candidate(), window.recipe().at(), there.window.recipe().at())
          .orElse(NO_CANDIDATE);
    }

    /** What both show, if it differs so. */
    List<Change> with(Side after, Predicate<ShownTwice> differs) {
      return lines.entrySet().stream()
          .flatMap(
              own ->
                  Optional.ofNullable(after.lines.get(own.getKey()))
                      .map(other -> new ShownTwice(own.getValue(), other))
                      .stream())
          .filter(both -> both.isShown() && differs.test(both))
          .map(
              both ->
                  change(both.after(), both.before().tokens(), both.after().tokens(), both.why()))
          .toList();
    }
  }
}
