package dev.caliber.memory.context;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        inputs(one, other),
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
                new Change(other.candidate(), line.tokens(), other.tokens(), other.reason()));
          }
        });
    return changes;
  }

  private static Map<String, List<String>> inputs(Window one, Window other) {
    Map<String, String> before = told(one);
    Map<String, String> after = told(other);
    Map<String, List<String>> differing = new LinkedHashMap<>();
    before.forEach(
        (name, value) -> {
          String there = Objects.requireNonNull(after.get(name));
          if (!there.equals(value)) {
            differing.put(name, List.of(value, there));
          }
        });
    return differing;
  }

  private static Map<String, String> told(Window window) {
    Map<String, String> told = new LinkedHashMap<>();
    told.put("trajectory", window.trajectory().toString());
    told.put("query", window.inputs().query().orElse("none"));
    told.put("as_of", window.recipe().at().toString());
    told.put("sequence", Long.toString(window.inputs().sequence()));
    told.put("configuration", window.inputs().configuration().orElse("none"));
    told.put("generations", String.join(", ", window.inputs().generations()));
    told.put("budget", Integer.toString(window.maxTokens()));
    told.put("counter", window.recipe().counter());
    told.put("format", window.recipe().format().name());
    return told;
  }
}
