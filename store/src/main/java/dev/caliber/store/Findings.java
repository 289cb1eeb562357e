package dev.caliber.store;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Gathers findings, a bounded number of each code. */
final class Findings {

  private static final int EACH_CODE_BOUND = 100;

  private final List<Finding> found = new ArrayList<>();
  private final Map<FindingCode, Integer> counts = new EnumMap<>(FindingCode.class);
  private long omitted;

  void error(FindingCode code, String where, String what, String advice) {
    add(new Finding(Finding.Severity.ERROR, code, where, what, advice));
  }

  void warning(FindingCode code, String where, String what, String advice) {
    add(new Finding(Finding.Severity.WARNING, code, where, what, advice));
  }

  private void add(Finding finding) {
    if (counts.merge(finding.code(), 1, Integer::sum) <= EACH_CODE_BOUND) {
      found.add(finding);
    } else {
      omitted++;
    }
  }

  DoctorReport report(long records) {
    return new DoctorReport(found, records, omitted);
  }
}
