package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.syntax.Text;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Settings of a matrix row, a profile and an agent. */
enum ProfileSetting {
  RETENTION("retention"),
  INDEX("index"),
  EMBEDDINGS("embeddings"),
  FORMAT("format");

  static final List<ProfileSetting> ALL = List.of(values());

  private final String key;

  ProfileSetting(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  /** Returns the value in a table; for a format, its bare name. */
  Optional<String> valueIn(ManifestTable manifestTable) {
    return manifestTable.text(key).map(this::bareName);
  }

  private String bareName(Text text) {
    return this == FORMAT ? PackDocument.sectionEntryName(Manifest.FORMATS, text) : text.value();
  }

  /** Returns the settings of a row, a profile or an agent that passed every check. */
  static ProfileSettings settingsIn(ManifestTable manifestTable) {
    return new ProfileSettings(
        requirePresent(manifestTable.enumValue("retention", ProfileSettings.MemoryLifetime.class)),
        requirePresent(manifestTable.enumValue("index", ProfileSettings.MemoryIndexKind.class)),
        requirePresent(
            manifestTable.enumValue("embeddings", ProfileSettings.EmbeddingSwitch.class)),
        requirePresent(FORMAT.valueIn(manifestTable)));
  }

  static <T> T requirePresent(Optional<T> value) {
    return value.orElseThrow(
        () -> new IllegalStateException("expected a checked pack, found none"));
  }

  /** Returns whether a table has all of them. */
  static boolean areAllIn(ManifestTable manifestTable) {
    return ALL.stream()
        .allMatch(profileSetting -> profileSetting.valueIn(manifestTable).isPresent());
  }

  /** Returns those that differ between two tables. */
  static List<ProfileSetting> differences(ManifestTable one, ManifestTable other) {
    return ALL.stream()
        .filter(
            profileSetting -> !profileSetting.valueIn(one).equals(profileSetting.valueIn(other)))
        .toList();
  }

  static String describe(List<ProfileSetting> knobs, ManifestTable manifestTable) {
    return knobs.stream()
        .map(
            profileSetting ->
                profileSetting.key
                    + " = \""
                    + profileSetting.valueIn(manifestTable).orElse("")
                    + "\"")
        .collect(Collectors.joining(", "));
  }
}
