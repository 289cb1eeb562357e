package dev.caliber.memory.context;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What another window has that one has not, and why.
 *
 * @param inputs what went in differently, by name: both values
 * @param added in the other one only, with why it was not in this one
 * @param removed in this one only, with why it is not in the other
 * @param resized in both with other tokens
 */
public record WindowDiff(
    Map<String, List<String>> inputs,
    List<Change> added,
    List<Change> removed,
    List<Change> resized) {

  private static final String NO_CANDIDATE = "no rule offered it";

  /** One record; tokens here and there. */
  public record Change(Candidate candidate, int before, int after, String why) {}

  public WindowDiff {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    resized = List.copyOf(resized);
  }

  public static WindowDiff between(Window one, Window other) {
    Map<String, LedgerLine> before = lines(one);
    Map<String, LedgerLine> after = lines(other);
    return new WindowDiff(
        ToldInputs.differing(one, other),
        onlyIn(after, before, false),
        onlyIn(before, after, true),
        resized(before, after));
  }

  public boolean isEmpty() {
    return added.isEmpty() && removed.isEmpty() && resized.isEmpty();
  }

  private static Map<String, LedgerLine> lines(Window window) {
    return window.ledger().stream()
        .collect(
            Collectors.toMap(WindowDiff::key, line -> line, (line, _) -> line, LinkedHashMap::new));
  }

  private static String key(LedgerLine line) {
    return line.candidate().kind() + " " + line.candidate().id();
  }

  private static List<Change> onlyIn(
      Map<String, LedgerLine> here, Map<String, LedgerLine> there, boolean gone) {
    List<Change> changes = new ArrayList<>();
    here.forEach(
        (key, line) -> {
          LedgerLine other = there.get(key);
          if (line.decision().isIn() && (other == null || !other.decision().isIn())) {
            String why = other == null ? NO_CANDIDATE : other.reason();
            changes.add(
                gone
                    ? new Change(line.candidate(), line.tokens(), 0, why)
                    : new Change(line.candidate(), 0, line.tokens(), why));
          }
        });
    return changes;
  }

  private static List<Change> resized(
      Map<String, LedgerLine> before, Map<String, LedgerLine> after) {
    List<Change> changes = new ArrayList<>();
    before.forEach(
        (key, line) -> {
          LedgerLine other = after.get(key);
          if (other != null
              && line.tokens() > 0
              && other.tokens() > 0
              && line.tokens() != other.tokens()) {
            changes.add(
                new Change(other.candidate(), line.tokens(), other.tokens(), why(line, other)));
          }
        });
    return changes;
  }

  /** Why one record takes other tokens here and there. */
  private static String why(LedgerLine line, LedgerLine other) {
    if (!line.candidate().contentHash().equals(other.candidate().contentHash())) {
      return "it says something else";
    }
    return line.decision() == Decision.INCLUDE && other.decision() == Decision.INCLUDE
        ? "written or counted in another way"
        : "%s, then %s".formatted(shown(line), shown(other));
  }

  private static String shown(LedgerLine line) {
    return line.decision() == Decision.INCLUDE
        ? "whole"
        : "%s (%s)".formatted(line.rule(), line.reason());
  }
}
