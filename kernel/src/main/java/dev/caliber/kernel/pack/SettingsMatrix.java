package dev.caliber.kernel.pack;

import java.util.List;

/** The states that settings may be in, and whether agents may leave those of their profile. */
public record SettingsMatrix(List<Row> allowed, boolean enforceProfilesOnly) {
  public SettingsMatrix {
    allowed = List.copyOf(allowed);
  }

  /** One allowed state; its name only helps people. */
  public record Row(String name, Knobs knobs) {}
}
