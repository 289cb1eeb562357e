package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.time.Duration;
import java.util.List;

/**
 * Trust in records by their source and age, and the rules that a trust-format window gives the
 * model.
 *
 * @param recentUntilAge history is recent as long as it is younger
 * @param oldFromAge history is old from this age on
 * @param contentLimit the most characters of an item's content
 * @param rules the rules about sources for the model, line by line
 */
public record TrustRule(
    TrustLevels levels,
    Duration recentUntilAge,
    Duration oldFromAge,
    int contentLimit,
    List<String> rules) {

  private static final String SECTION = "context.trust";

  public TrustRule {
    Ranges.requireAtLeast("trust.content-limit", 1, contentLimit);
    if (recentUntilAge.compareTo(oldFromAge) > 0) {
      throw KernelException.invalidValue(
          "trust.recent-until-age", "at most trust.old-from-age", recentUntilAge.toString());
    }
    rules = List.copyOf(rules);
  }

  /**
   * Trust in each class of sources, from 0 to 100.
   *
   * @param recent verified history that is recent
   * @param thisMonth verified history that is neither recent nor old
   * @param old verified history that is old
   * @param unchecked unverified history
   * @param uncheckedOld unverified history that is old
   * @param inferred statements of a model, and contradicted history
   */
  public record TrustLevels(
      int code,
      int recent,
      int authoritative,
      int academic,
      int thisMonth,
      int old,
      int unchecked,
      int uncheckedOld,
      int informal,
      int inferred) {
    public TrustLevels {
      require("code", code);
      require("recent", recent);
      require("authoritative", authoritative);
      require("academic", academic);
      require("this-month", thisMonth);
      require("old", old);
      require("unchecked", unchecked);
      require("unchecked-old", uncheckedOld);
      require("informal", informal);
      require("inferred", inferred);
    }

    private static void require(String key, int level) {
      Ranges.requireWithin("trust.levels." + key, 0, ConfigBounds.MAX_TRUST, level);
    }

    static TrustLevels from(SettingsSection settingsSection) {
      return new TrustLevels(
          level(settingsSection, "code"),
          level(settingsSection, "recent"),
          level(settingsSection, "authoritative"),
          level(settingsSection, "academic"),
          level(settingsSection, "this-month"),
          level(settingsSection, "old"),
          level(settingsSection, "unchecked"),
          level(settingsSection, "unchecked-old"),
          level(settingsSection, "informal"),
          level(settingsSection, "inferred"));
    }

    private static int level(SettingsSection settingsSection, String key) {
      return settingsSection.wholeNumber(key, 0, ConfigBounds.MAX_TRUST);
    }
  }

  static TrustRule from(Settings settings) {
    SettingsSection settingsSection = settings.section(SECTION);
    Duration recent = time(settingsSection, "recent-until-age");
    Duration month = time(settingsSection, "old-from-age");
    boolean fits = recent.compareTo(month) <= 0;
    settings.requireCompatible(
        fits,
        SECTION + ".recent-until-age",
        SECTION + ".old-from-age",
        "recent-until-age (%s) has to be at most old-from-age (%s)".formatted(recent, month));
    return new TrustRule(
        TrustLevels.from(settings.section(SECTION + ".levels").withUnit("trust")),
        fits ? recent : month,
        month,
        settingsSection
            .withUnit("characters")
            .wholeNumber("content-limit", 1, ConfigBounds.MAX_CONTENT),
        settingsSection.texts("rules"));
  }

  private static Duration time(SettingsSection settingsSection, String key) {
    return settingsSection.duration(key, ConfigBounds.MIN_TIME, ConfigBounds.MAX_TIME);
  }
}
