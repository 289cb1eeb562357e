package dev.caliber.kernel.pack;

import java.util.List;

/** Allowed states of the settings, and whether agents may deviate from those of their profile. */
public record SettingsMatrix(List<AllowedSettings> allowed, boolean enforceProfilesOnly) {
  public SettingsMatrix {
    allowed = List.copyOf(allowed);
  }

  /** One allowed state; its name is only for people. */
  public record AllowedSettings(String name, ProfileSettings knobs) {}
}
