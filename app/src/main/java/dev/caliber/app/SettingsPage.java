package dev.caliber.app;

import dev.caliber.app.StarterComments.Said;
import dev.caliber.kernel.settings.Declaration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Every setting there is, as the rooms declare it and the starter file explains it. */
final class SettingsPage {
  private static final String HEAD =
      """
      # Settings of `caliber.toml`

      Printed by `./caliber config keys --markdown` from what the rooms declare and the starter file says; a test fails when this
      page is out of date. A file that exists sets every one of them: a missing setting is an error, never a silent default.
      `caliber init` writes a file with the starter values, `caliber config check` reports all that is wrong with one.

      Durations are a whole number with `ms`, `s`, `m`, `h`, `d` or `w`, exact to the millisecond; sizes are one with `B`, `KiB`, `MiB`
      or `GiB`.
      """;
  private static final String TABLE_HEAD =
      """

      | Setting | Type | Unit | Range | Starter | Means |
      |---|---|---|---|---|---|
      """;

  private SettingsPage() {}

  /** One setting with all that is said about it. */
  record Setting(String key, String type, String unit, String range, String starter, String means) {
    private String section() {
      return key.substring(0, key.lastIndexOf('.'));
    }

    private String row() {
      String name = key.substring(key.lastIndexOf('.') + 1);
      return "| `%s` | %s | %s | %s | `%s` | %s |\n"
          .formatted(name, type, unit, range, starter.replace("|", "\\|"), means);
    }
  }

  static List<Setting> settings() {
    StarterComments comments = StarterComments.of(AppConfig.starterText());
    return AppConfig.declarations().stream().map(declared -> setting(declared, comments)).toList();
  }

  private static Setting setting(Declaration declared, StarterComments comments) {
    Said said = comments.about(declared.key()).orElse(new Said("", ""));
    return new Setting(
        declared.key(),
        declared.type(),
        declared.unit(),
        declared.range(),
        said.value(),
        said.sentence());
  }

  /** The text of {@code docs/configuration.md}. */
  static String markdown() {
    StarterComments comments = StarterComments.of(AppConfig.starterText());
    Map<String, List<Setting>> sections =
        settings().stream()
            .collect(Collectors.groupingBy(Setting::section, TreeMap::new, Collectors.toList()));
    var page = new StringBuilder(HEAD);
    sections.forEach(
        (name, settings) -> {
          page.append("\n## `[").append(name).append("]`\n");
          comments.about(name).map(Said::sentence).ifPresent(text -> append(page, text));
          page.append(TABLE_HEAD);
          settings.forEach(setting -> page.append(setting.row()));
        });
    return page.toString();
  }

  private static void append(StringBuilder page, String sentence) {
    page.append(sentence.isEmpty() ? "" : "\n" + sentence + "\n");
  }
}
