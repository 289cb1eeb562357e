package dev.caliber.kernel.settings;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Value of a setting and the layer that it comes from.
 *
 * @param value as a file has it; user and password in an address are left out
 * @param layer {@code starter}, {@code file} or {@code environment}
 * @param location the line of the file, or the name of the variable; empty for the starter version
 */
public record SettingOrigin(String key, String value, String layer, String location) {
  private static final Pattern CREDENTIALS =
      Pattern.compile("//[^@\\s]*@|[?&][^=&]*(?i:pass|key|token|secret|user)[^=&]*=[^&]*");

  static SettingOrigin of(
      String key, SettingsSource source, SettingsSource.SettingsValue settingsValue) {
    return new SettingOrigin(
        key,
        text(settingsValue.value()),
        SettingType.nameOf(source.kind()),
        source.kind() == SettingsSource.Kind.STARTER
            ? ""
            : source.locationOf(key, settingsValue.position()));
  }

  private static String text(Object value) {
    return switch (value) {
      case String text -> '"' + CREDENTIALS.matcher(text).replaceAll("***") + '"';
      case List<?> texts ->
          texts.stream().map(SettingOrigin::text).collect(Collectors.joining(", ", "[", "]"));
      default -> value.toString();
    };
  }
}
