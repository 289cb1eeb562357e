package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * How far records are trusted, by what they come from and how old they are, and what a window that
 * says so tells the model.
 *
 * @param recentFor history is recent as long as it is younger
 * @param monthFor history is old from this age on
 * @param contentLimit the most characters of an item's content
 * @param rules what the model is told about its sources, line by line
 */
public record TrustRule(
    Levels levels, Duration recentFor, Duration monthFor, int contentLimit, List<String> rules) {

  private static final String SECTION = "context.trust";

  public TrustRule {
    Ranges.requireAtLeast("trust.content-limit", 1, contentLimit);
    if (recentFor.compareTo(monthFor) > 0) {
      throw KernelException.invalidValue(
          "trust.recent-for", "at most trust.month-for", recentFor.toString());
    }
    rules = List.copyOf(rules);
  }

  /**
   * How far each class of sources is trusted, from 0 to 100.
   *
   * @param recent verified history that is recent
   * @param month verified history that is neither recent nor old
   * @param old verified history that is old
   * @param unchecked history that nobody has verified
   * @param uncheckedOld the same when it is old
   * @param inferred what a model says, and history that is contradicted
   */
  public record Levels(
      int code,
      int recent,
      int authoritative,
      int academic,
      int month,
      int old,
      int unchecked,
      int uncheckedOld,
      int informal,
      int inferred) {
    public Levels {
      require("code", code);
      require("recent", recent);
      require("authoritative", authoritative);
      require("academic", academic);
      require("month", month);
      require("old", old);
      require("unchecked", unchecked);
      require("unchecked-old", uncheckedOld);
      require("informal", informal);
      require("inferred", inferred);
    }

    private static void require(String key, int level) {
      Ranges.requireWithin("trust.levels." + key, 0, ConfigBounds.MAX_TRUST, level);
    }

    static Levels from(Section section) {
      return new Levels(
          level(section, "code"),
          level(section, "recent"),
          level(section, "authoritative"),
          level(section, "academic"),
          level(section, "month"),
          level(section, "old"),
          level(section, "unchecked"),
          level(section, "unchecked-old"),
          level(section, "informal"),
          level(section, "inferred"));
    }

    private static int level(Section section, String key) {
      return section.whole(key, 0, ConfigBounds.MAX_TRUST);
    }
  }

  static TrustRule from(Settings settings) {
    Section section = settings.section(SECTION);
    Duration recent = time(section, "recent-for");
    Duration month = time(section, "month-for");
    boolean fits = recent.compareTo(month) <= 0;
    settings.requireCompatible(
        fits,
        SECTION + ".recent-for",
        SECTION + ".month-for",
        "wanted what is recent to be younger than what is old, found %s and %s"
            .formatted(recent, month));
    return new TrustRule(
        Levels.from(settings.section(SECTION + ".levels").in("trust")),
        fits ? recent : month,
        month,
        section.in("characters").whole("content-limit", 1, ConfigBounds.MAX_CONTENT),
        section.texts("rules"));
  }

  private static Duration time(Section section, String key) {
    return section.duration(key, ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME);
  }
}
