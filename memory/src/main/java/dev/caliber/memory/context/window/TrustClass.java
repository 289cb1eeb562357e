package dev.caliber.memory.context.window;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.config.TrustSettings;
import java.time.Duration;

/**
 * Class of trust, by the kind of source. Two classes may have equal trust values; their titles and
 * warnings still differ.
 */
public enum TrustClass {
  CODE(SourceClass.CODE, "Ground Truth", ""),
  RECENT(SourceClass.HISTORY, "Recent Verified", "From recent history; may need verification"),
  AUTHORITATIVE(
      SourceClass.ACADEMIC,
      "Authoritative",
      "From external documentation; verify that it applies to your context"),
  ACADEMIC(SourceClass.ACADEMIC, "Academic", "From an academic source; may not apply directly"),
  MONTH(
      SourceClass.HISTORY,
      "Verified This Month",
      "From this month's history; verify that it has not changed"),
  OLD(
      SourceClass.HISTORY,
      "Old History",
      "\u26a0\ufe0f OLD DATA - verify that this is still accurate"),
  UNCHECKED(
      SourceClass.HISTORY,
      "Recorded, Unchecked",
      "\u26a0\ufe0f UNCHECKED - recorded, not verified"),
  UNCHECKED_OLD(SourceClass.HISTORY, UNCHECKED.title, UNCHECKED.warning),
  INFORMAL(SourceClass.ACADEMIC, "Informal", "\u26a0\ufe0f Informal source - verify independently"),
  INFERRED(
      SourceClass.HISTORY,
      "Unverified/Inferred",
      "\u26a0\ufe0f UNVERIFIED - inferred by a language model, may be incorrect");

  private final SourceClass source;
  private final String title;
  private final String warning;

  TrustClass(SourceClass source, String title, String warning) {
    this.source = source;
    this.title = title;
    this.warning = warning;
  }

  public SourceClass source() {
    return source;
  }

  /** Returns the title for people and models. */
  public String title() {
    return title;
  }

  /** Returns the warning; empty if there is none. */
  public String warning() {
    return warning;
  }

  public int trustValue(TrustSettings.TrustLevels trustLevels) {
    return switch (this) {
      case CODE -> trustLevels.code();
      case RECENT -> trustLevels.recent();
      case AUTHORITATIVE -> trustLevels.authoritative();
      case ACADEMIC -> trustLevels.academic();
      case MONTH -> trustLevels.thisMonth();
      case OLD -> trustLevels.old();
      case UNCHECKED -> trustLevels.unchecked();
      case UNCHECKED_OLD -> trustLevels.uncheckedOld();
      case INFORMAL -> trustLevels.informal();
      case INFERRED -> trustLevels.inferred();
    };
  }

  /** Describes the sources of this class. */
  public String describeSources(TrustSettings rule) {
    String recent = formatDuration(rule.recentUntilAge());
    String month = formatDuration(rule.oldFromAge());
    return switch (this) {
      case CODE -> "current source code";
      case RECENT -> "verified history, younger than " + recent;
      case AUTHORITATIVE -> "an RFC or official documentation";
      case ACADEMIC -> "a paper, a best practice or a tutorial";
      case MONTH -> "verified history, from %s to %s old".formatted(recent, month);
      case OLD -> "verified history, older than " + month;
      case UNCHECKED -> "history that was recorded and not verified";
      case UNCHECKED_OLD -> UNCHECKED.describeSources(rule) + ", older than " + month;
      case INFORMAL -> "a blog post or a forum post";
      case INFERRED -> "statements of a model, and history that another source contradicts";
    };
  }

  /** Formats full days as days, the unit of the surrounding text. */
  private static String formatDuration(Duration time) {
    long days = time.toDays();
    return days > 1 && time.minusDays(days).isZero() ? days + " days" : Durations.format(time);
  }
}
