package dev.caliber.kernel.config;

import dev.caliber.kernel.settings.CheckedSettings;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.Settings;
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
public record TrustSettings(
    TrustLevels levels,
    @SettingRange("1ms to 36500d") Duration recentUntilAge,
    @SettingRange("1ms to 36500d") Duration oldFromAge,
    @SettingRange("1 to 10000000 characters") int contentLimit,
    List<String> rules)
    implements CheckedSettings {

  public TrustSettings {
    rules = List.copyOf(rules);
  }

  @Override
  public void check(Settings settings) {
    settings.requireCompatible(
        recentUntilAge.compareTo(oldFromAge) <= 0,
        "context.trust.recent-until-age",
        "context.trust.old-from-age",
        "recent history must be younger than old history, found %s and %s"
            .formatted(recentUntilAge, oldFromAge));
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
      @SettingRange("0 to 100 trust") int code,
      @SettingRange("0 to 100 trust") int recent,
      @SettingRange("0 to 100 trust") int authoritative,
      @SettingRange("0 to 100 trust") int academic,
      @SettingRange("0 to 100 trust") int thisMonth,
      @SettingRange("0 to 100 trust") int old,
      @SettingRange("0 to 100 trust") int unchecked,
      @SettingRange("0 to 100 trust") int uncheckedOld,
      @SettingRange("0 to 100 trust") int informal,
      @SettingRange("0 to 100 trust") int inferred) {}
}
