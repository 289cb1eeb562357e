package dev.caliber.kernel.settings;

/** Settings record with conditions that the bounds of its components cannot express. */
public interface CheckedSettings {
  /** Reports each condition that does not hold, with the full names of the settings. */
  void check(Settings settings);
}
