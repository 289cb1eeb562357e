package dev.caliber.store.maintenance;

/** One problem that the doctor found: its place, a description, and advice. */
public record DoctorFinding(
    DoctorSeverity severity, DoctorFindingCode code, String where, String what, String advice) {

  /** Severity of a finding. */
  public enum DoctorSeverity {
    /** No data is lost yet. */
    WARNING,
    /** Data is damaged, or a setting puts data at risk. */
    ERROR
  }
}
