package dev.caliber.kernel.settings;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Layer of settings, for logs.
 *
 * @param name the name of the file, {@code the starter version} or {@code the environment}
 * @param hash the hash of its text
 */
public record SettingsLayer(String name, String hash) {
  /** Returns the layers in one line, the lowest first. */
  public static String describe(List<SettingsLayer> layers) {
    return layers.stream()
        .map(layer -> "%s (%s)".formatted(layer.name(), layer.hash()))
        .collect(Collectors.joining(", "));
  }
}
