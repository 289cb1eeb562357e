package dev.caliber.store;

/** One thing that the doctor found: where, what, and what to do about it. */
public record Finding(
    Severity severity, FindingCode code, String where, String what, String advice) {

  /** How bad it is. */
  public enum Severity {
    /** Nothing is lost yet. */
    WARNING,
    /** Damage, or a setting that lets it happen. */
    ERROR
  }
}
