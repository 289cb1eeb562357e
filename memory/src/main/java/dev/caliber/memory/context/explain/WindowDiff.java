package dev.caliber.memory.context.explain;

import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.Window;
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
 * Differences of another window from one, with reasons. A record that both show is in at most one
 * of the lists.
 *
 * @param inputs inputs that differ, by name: both values
 * @param added shown only in the other one, with why it was not in this one
 * @param removed shown only in this one, with why it is not in the other
 * @param changed shown in both with different content
 * @param resized shown in both with equal content and different tokens
 * @param moved shown in both with equal content and tokens, in another section or with another
 *     number
 */
public record WindowDiff(
    Map<String, List<String>> inputs,
    List<RecordDifference> added,
    List<RecordDifference> removed,
    List<RecordDifference> changed,
    List<RecordDifference> resized,
    List<RecordDifference> moved) {

  private static final String NO_CANDIDATE = "no injection rule offered the record";

  /** Record that differs, with its tokens in both windows. */
  public record RecordDifference(Candidate candidate, int before, int after, String why) {}

  public WindowDiff {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changed = List.copyOf(changed);
    resized = List.copyOf(resized);
    moved = List.copyOf(moved);
  }

  /**
   * Compares two windows.
   *
   * @param now the snapshot from which the reasons are read
   */
  public static WindowDiff between(Window one, Window other, Snapshot now) {
    WindowLines before = WindowLines.of(one);
    WindowLines after = WindowLines.of(other);
    RecordChangeExplainer recordChangeExplainer = new RecordChangeExplainer(now);
    return new WindowDiff(
        WindowInputDiff.differences(one, other),
        after.linesMissingIn(
            before,
            recordChangeExplainer,
            (line, why) -> newDifference(line, 0, line.tokens(), why)),
        before.linesMissingIn(
            after,
            recordChangeExplainer,
            (line, why) -> newDifference(line, line.tokens(), 0, why)),
        before.differingLines(after, LedgerLineDiff::isChanged),
        before.differingLines(after, LedgerLineDiff::isResized),
        before.differingLines(after, LedgerLineDiff::isMoved));
  }

  private static RecordDifference newDifference(
      LedgerLine line, int before, int after, String why) {
    return new RecordDifference(line.candidate(), before, after, why);
  }

  public boolean isEmpty() {
    return Stream.of(added, removed, changed, resized, moved).allMatch(List::isEmpty);
  }

  /** Lines of one of the two windows, by record. */
  private record WindowLines(Window window, Map<String, LedgerLine> lines) {

    /** Factory for a difference from a line and a reason. */
    private interface RecordDifferenceFactory {
      RecordDifference create(LedgerLine line, String why);
    }

    static WindowLines of(Window window) {
      return new WindowLines(
          window,
          window.ledger().stream()
              .collect(
                  Collectors.toMap(
                      WindowLines::key, line -> line, (line, _) -> line, LinkedHashMap::new)));
    }

    /** The instructions have one key, whatever their text. */
    private static String key(LedgerLine line) {
      Candidate candidate = line.candidate();
      return candidate.kind() == SourceKind.SYSTEM
          ? candidate.kind().name()
          : candidate.kind() + " " + candidate.id();
    }

    List<RecordDifference> linesMissingIn(
        WindowLines there,
        RecordChangeExplainer recordChangeExplainer,
        RecordDifferenceFactory recordDifferenceFactory) {
      List<RecordDifference> changes = new ArrayList<>();
      lines.forEach(
          (key, line) -> {
            LedgerLine other = there.lines.get(key);
            if (line.decision().isIncluded() && (other == null || !other.decision().isIncluded())) {
              String why =
                  other == null
                      ? missingReason(line, there, recordChangeExplainer)
                      : other.reason();
              changes.add(recordDifferenceFactory.create(line, why));
            }
          });
      return changes;
    }

    private String missingReason(
        LedgerLine line, WindowLines there, RecordChangeExplainer recordChangeExplainer) {
      return recordChangeExplainer
          .reasonFor(line.candidate(), window.recipe().at(), there.window.recipe().at())
          .orElse(NO_CANDIDATE);
    }

    /** Returns the differences of records that both windows show. */
    List<RecordDifference> differingLines(WindowLines after, Predicate<LedgerLineDiff> differs) {
      return lines.entrySet().stream()
          .flatMap(
              own ->
                  Optional.ofNullable(after.lines.get(own.getKey()))
                      .map(other -> new LedgerLineDiff(own.getValue(), other))
                      .stream())
          .filter(both -> both.isShown() && differs.test(both))
          .map(
              both ->
                  newDifference(
                      both.after(), both.before().tokens(), both.after().tokens(), both.reason()))
          .toList();
    }
  }
}
