package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.ast.TextNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Settings of a matrix row, a profile and an agent. */
public enum ProfileSettingKey {
  RETENTION("retention"),
  INDEX("index"),
  EMBEDDINGS("embeddings"),
  FORMAT("format");

  public static final List<ProfileSettingKey> ALL = List.of(values());

  private final String key;

  ProfileSettingKey(String key) {
    this.key = key;
  }

  public String key() {
    return key;
  }

  /** Returns the value in a table; for a format, its bare name. */
  public Optional<String> valueIn(ManifestTable manifestTable) {
    return manifestTable.text(key).map(this::bareName);
  }

  private String bareName(TextNode textNode) {
    return this == FORMAT
        ? ParsedPack.sectionEntryName(Manifest.FORMATS, textNode)
        : textNode.value();
  }

  /** Returns the settings of a row, a profile or an agent that passed every check. */
  public static ProfileSettings settingsIn(ManifestTable manifestTable) {
    return new ProfileSettings(
        requirePresent(manifestTable.enumValue("retention", ProfileSettings.MemoryLifetime.class)),
        requirePresent(manifestTable.enumValue("index", ProfileSettings.MemoryIndexKind.class)),
        requirePresent(
            manifestTable.enumValue("embeddings", ProfileSettings.EmbeddingSwitch.class)),
        requirePresent(FORMAT.valueIn(manifestTable)));
  }

  public static <T> T requirePresent(Optional<T> value) {
    return value.orElseThrow(
        () -> new IllegalStateException("expected a checked pack, found none"));
  }

  /** Returns whether a table has all of them. */
  public static boolean areAllIn(ManifestTable manifestTable) {
    return ALL.stream()
        .allMatch(profileSettingKey -> profileSettingKey.valueIn(manifestTable).isPresent());
  }

  /** Returns those that differ between two tables. */
  public static List<ProfileSettingKey> differences(ManifestTable one, ManifestTable other) {
    return ALL.stream()
        .filter(
            profileSettingKey ->
                !profileSettingKey.valueIn(one).equals(profileSettingKey.valueIn(other)))
        .toList();
  }

  public static String describe(List<ProfileSettingKey> knobs, ManifestTable manifestTable) {
    return knobs.stream()
        .map(
            profileSettingKey ->
                profileSettingKey.key
                    + " = \""
                    + profileSettingKey.valueIn(manifestTable).orElse("")
                    + "\"")
        .collect(Collectors.joining(", "));
  }
}
