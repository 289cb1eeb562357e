package dev.caliber.app.serve;

import dev.caliber.app.serve.StarterComments.SettingComment;
import dev.caliber.app.shell.AppConfig;
import dev.caliber.kernel.settings.SettingDeclaration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page of all settings, as the modules declare them and the starter file explains them. */
public final class SettingsPageGenerator {
  private static final String HEAD =
      """
      # Settings of `caliber.toml`

      Printed by `./caliber config list --markdown` from the declarations of the modules and the starter file; a test fails when this
      page is out of date. Settings come in three layers: the starter version (the values below), a `caliber.toml` over it, and environment
      variables over both. A file sets what differs, so three lines are a valid file; an unknown key is refused with its position.

      The variable of a setting is `CALIBER__` and its name in capitals, with two underscores between levels and one for a hyphen:
      `CALIBER__STORE__WRITES__TIME_LIMIT=10s` sets `store.writes.time-limit`. Texts of an array are separated by commas. An unknown
      variable that begins with `CALIBER__` is refused by its name; names with single underscores, such as `CALIBER_SPACE`, are no settings.

      `caliber config show` says where each value comes from. `caliber config check` reports all errors at once; `--strict` also demands
      that the file sets every key. `caliber init` writes a file with every key and its starter value.

      Durations are a whole number with `ms`, `s`, `m`, `h`, `d` or `w`, exact to the millisecond; sizes are one with `B`, `KiB`, `MiB`
      or `GiB`.
      """;
  private static final String TABLE_HEAD =
      """

      | Setting | Type | Unit | Range | Starter | Means |
      |---|---|---|---|---|---|
      """;

  private SettingsPageGenerator() {}

  /** A setting with its declaration and explanation. */
  public record SettingDescription(
      String key, String type, String unit, String range, String starter, String means) {
    private String section() {
      return key.substring(0, key.lastIndexOf('.'));
    }

    private String markdownRow() {
      String name = key.substring(key.lastIndexOf('.') + 1);
      return "| `%s` | %s | %s | %s | `%s` | %s |\n"
          .formatted(name, type, unit, range, starter.replace("|", "\\|"), means);
    }
  }

  public static List<SettingDescription> settings() {
    StarterComments comments = StarterComments.of(AppConfig.starterText());
    return AppConfig.declarations().stream().map(declared -> setting(declared, comments)).toList();
  }

  private static SettingDescription setting(SettingDeclaration declared, StarterComments comments) {
    SettingComment settingComment =
        comments.commentOn(declared.key()).orElse(new SettingComment("", ""));
    return new SettingDescription(
        declared.key(),
        declared.type(),
        declared.unit(),
        declared.range(),
        settingComment.value(),
        settingComment.sentence());
  }

  /** Returns the text of {@code docs/configuration.md}. */
  static String markdown() {
    StarterComments comments = StarterComments.of(AppConfig.starterText());
    Map<String, List<SettingDescription>> sections =
        settings().stream()
            .collect(
                Collectors.groupingBy(
                    SettingDescription::section, TreeMap::new, Collectors.toList()));
    var page = new StringBuilder(HEAD);
    sections.forEach(
        (name, settings) -> {
          page.append("\n## `[").append(name).append("]`\n");
          comments
              .commentOn(name)
              .map(SettingComment::sentence)
              .ifPresent(text -> appendSentence(page, text));
          page.append(TABLE_HEAD);
          settings.forEach(settingDescription -> page.append(settingDescription.markdownRow()));
        });
    return page.toString();
  }

  private static void appendSentence(StringBuilder page, String sentence) {
    page.append(sentence.isEmpty() ? "" : "\n" + sentence + "\n");
  }
}
