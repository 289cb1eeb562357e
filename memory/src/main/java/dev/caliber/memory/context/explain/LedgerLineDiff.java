package dev.caliber.memory.context.explain;

import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.LedgerLine;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines of one record in two windows. */
record LedgerLineDiff(LedgerLine before, LedgerLine after) {

  boolean isShown() {
    return before.decision().isIncluded() && after.decision().isIncluded();
  }

  boolean isChanged() {
    return differs(line -> line.candidate().contentHash())
        || differs(line -> line.candidate().version());
  }

  boolean isResized() {
    return !isChanged() && (differs(LedgerLine::tokens) || differs(LedgerLine::decision));
  }

  boolean isMoved() {
    return !isChanged() && !isResized() && hasOtherPlace();
  }

  private boolean hasOtherPlace() {
    return differs(LedgerLine::number) || differs(line -> line.candidate().section());
  }

  private boolean differs(Function<LedgerLine, Object> part) {
    return !part.apply(before).equals(part.apply(after));
  }

  /** Returns all differences, the most important first. */
  String reason() {
    return Stream.of(contentChange(), sizeChange(), sectionChange(), numberChange())
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private String contentChange() {
    if (!isChanged()) {
      return "";
    }
    return differs(line -> line.candidate().version())
        ? changeText("version %s", line -> line.candidate().version())
        : "the content of the record changed";
  }

  private String sizeChange() {
    if (!isResized()) {
      return "";
    }
    return isWhole(before) && isWhole(after)
        ? "the item is rendered or its tokens are counted differently"
        : changeText("%s", LedgerLineDiff::inclusionText);
  }

  private String sectionChange() {
    return differs(line -> line.candidate().section())
        ? changeText("section %s", line -> line.candidate().section())
        : "";
  }

  private String numberChange() {
    return differs(LedgerLine::number) ? changeText("[%s]", LedgerLine::number) : "";
  }

  private String changeText(String words, Function<LedgerLine, Object> part) {
    return (words + ", then " + words).formatted(part.apply(before), part.apply(after));
  }

  private static boolean isWhole(LedgerLine line) {
    return line.decision() == InclusionDecision.INCLUDE;
  }

  private static String inclusionText(LedgerLine line) {
    return isWhole(line) ? "whole" : "%s (%s)".formatted(line.rule(), line.reason());
  }
}
