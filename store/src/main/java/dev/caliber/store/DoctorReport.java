package dev.caliber.store;

import java.util.List;

/**
 * What the doctor found.
 *
 * @param records how many were looked at
 * @param omitted further findings of the same codes, which are counted but not listed
 */
public record DoctorReport(List<Finding> findings, long records, long omitted) {

  public DoctorReport {
    findings = List.copyOf(findings);
  }

  /** True when nothing is damaged or unsafe; there may be warnings. */
  public boolean isHealthy() {
    return findings.stream().noneMatch(f -> f.severity() == Finding.Severity.ERROR);
  }
}
