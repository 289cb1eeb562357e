package dev.caliber.store.maintenance;

import java.util.List;

/**
 * Findings of all checks.
 *
 * @param records the number of records examined
 * @param omitted further findings of the same codes, which are counted but not listed
 */
public record DoctorReport(List<DoctorFinding> findings, long records, long omitted) {

  public DoctorReport {
    findings = List.copyOf(findings);
  }

  /** Returns true if no finding is an error; there may be warnings. */
  public boolean isHealthy() {
    return findings.stream().noneMatch(f -> f.severity() == DoctorFinding.DoctorSeverity.ERROR);
  }
}
