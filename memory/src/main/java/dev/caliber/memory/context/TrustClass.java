package dev.caliber.memory.context;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.config.TrustRule;
import java.time.Duration;

/**
 * Why something is trusted as far as it is. The name and the warning belong to the class: two
 * classes may be trusted to the same degree and still be told apart.
 */
public enum TrustClass {
  CODE(SourceClass.CODE, "Ground Truth", ""),
  RECENT(SourceClass.HISTORY, "Recent Verified", "From recent history, may need verification"),
  AUTHORITATIVE(
      SourceClass.ACADEMIC, "Authoritative", "From external docs, verify applies to your context"),
  ACADEMIC(SourceClass.ACADEMIC, "Academic", "Academic source, may not apply directly"),
  MONTH(
      SourceClass.HISTORY,
      "Verified This Month",
      "From this month's history, verify if it changed"),
  OLD(SourceClass.HISTORY, "Old History", "\u26a0\ufe0f OLD DATA - verify this is still accurate"),
  UNCHECKED(
      SourceClass.HISTORY,
      "Recorded, Unchecked",
      "\u26a0\ufe0f UNCHECKED - recorded, not verified"),
  UNCHECKED_OLD(SourceClass.HISTORY, UNCHECKED.title, UNCHECKED.warning),
  INFORMAL(SourceClass.ACADEMIC, "Informal", "\u26a0\ufe0f Informal source - verify independently"),
  INFERRED(
      SourceClass.HISTORY,
      "Unverified/Inferred",
      "\u26a0\ufe0f UNVERIFIED - LLM inference, may be incorrect");

  private final SourceClass source;
  private final String title;
  private final String warning;

  TrustClass(SourceClass source, String title, String warning) {
    this.source = source;
    this.title = title;
    this.warning = warning;
  }

  SourceClass source() {
    return source;
  }

  /** As people and models read it. */
  public String title() {
    return title;
  }

  /** What to mind; empty where there is nothing. */
  public String warning() {
    return warning;
  }

  int level(TrustRule.Levels levels) {
    return switch (this) {
      case CODE -> levels.code();
      case RECENT -> levels.recent();
      case AUTHORITATIVE -> levels.authoritative();
      case ACADEMIC -> levels.academic();
      case MONTH -> levels.month();
      case OLD -> levels.old();
      case UNCHECKED -> levels.unchecked();
      case UNCHECKED_OLD -> levels.uncheckedOld();
      case INFORMAL -> levels.informal();
      case INFERRED -> levels.inferred();
    };
  }

  /** Which sources are of this class. */
  String meaning(TrustRule rule) {
    String recent = time(rule.recentFor());
    String month = time(rule.monthFor());
    return switch (this) {
      case CODE -> "current source code";
      case RECENT -> "verified history, younger than " + recent;
      case AUTHORITATIVE -> "an RFC or official documentation";
      case ACADEMIC -> "a paper, a best practice or a tutorial";
      case MONTH -> "verified history, from %s to %s old".formatted(recent, month);
      case OLD -> "verified history, older than " + month;
      case UNCHECKED -> "history that was recorded and not verified";
      case UNCHECKED_OLD -> UNCHECKED.meaning(rule) + ", older than " + month;
      case INFORMAL -> "a blog post or an answer of a forum";
      case INFERRED -> "what a model has said or inferred, and history that is contradicted";
    };
  }

  /** In days, as the rest is written for a reader, where it is some. */
  private static String time(Duration time) {
    long days = time.toDays();
    return days > 1 && time.minusDays(days).isZero() ? days + " days" : Durations.format(time);
  }
}
