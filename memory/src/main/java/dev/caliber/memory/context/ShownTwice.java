package dev.caliber.memory.context;

import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One record in two windows. */
record ShownTwice(LedgerLine before, LedgerLine after) {

  boolean isShown() {
    return before.decision().isIn() && after.decision().isIn();
  }

  boolean isChanged() {
    return differs(line -> line.candidate().contentHash())
        || differs(line -> line.candidate().version());
  }

  boolean isResized() {
    return !isChanged() && (differs(LedgerLine::tokens) || differs(LedgerLine::decision));
  }

  boolean isMoved() {
    return !isChanged() && !isResized() && isElsewhere();
  }

  private boolean isElsewhere() {
    return differs(LedgerLine::number) || differs(line -> line.candidate().section());
  }

  private boolean differs(Function<LedgerLine, Object> part) {
    return !part.apply(before).equals(part.apply(after));
  }

  /** All that is different, the weightiest first. */
  String why() {
    return Stream.of(said(), sized(), placed(), numbered())
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private String said() {
    if (!isChanged()) {
      return "";
    }
    return differs(line -> line.candidate().version())
        ? then("version %s", line -> line.candidate().version())
        : "it says something else";
  }

  private String sized() {
    if (!isResized()) {
      return "";
    }
    return isWhole(before) && isWhole(after)
        ? "written or counted in another way"
        : then("%s", ShownTwice::shown);
  }

  private String placed() {
    return differs(line -> line.candidate().section())
        ? then("section %s", line -> line.candidate().section())
        : "";
  }

  private String numbered() {
    return differs(LedgerLine::number) ? then("[%s]", LedgerLine::number) : "";
  }

  private String then(String words, Function<LedgerLine, Object> part) {
    return (words + ", then " + words).formatted(part.apply(before), part.apply(after));
  }

  private static boolean isWhole(LedgerLine line) {
    return line.decision() == Decision.INCLUDE;
  }

  private static String shown(LedgerLine line) {
    return isWhole(line) ? "whole" : "%s (%s)".formatted(line.rule(), line.reason());
  }
}
