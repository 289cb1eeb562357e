package dev.caliber.kernel.settings;

/**
 * Layer of settings, for logs.
 *
 * @param name the name of the file, {@code the starter version} or {@code the environment}
 * @param hash the hash of its text
 */
public record SettingsLayer(String name, String hash) {
  @Override
  public String toString() {
    return name + " " + hash;
  }
}
