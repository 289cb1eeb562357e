package dev.caliber.store.maintenance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collector of findings, bounded per code. */
final class DoctorFindingCollector {

  private static final int EACH_CODE_BOUND = 100;

  private final List<DoctorFinding> found = new ArrayList<>();
  private final Map<DoctorFindingCode, Integer> counts = new EnumMap<>(DoctorFindingCode.class);
  private long omitted;

  void error(DoctorFindingCode code, String where, String what, String advice) {
    add(new DoctorFinding(DoctorFinding.DoctorSeverity.ERROR, code, where, what, advice));
  }

  void warning(DoctorFindingCode code, String where, String what, String advice) {
    add(new DoctorFinding(DoctorFinding.DoctorSeverity.WARNING, code, where, what, advice));
  }

  private void add(DoctorFinding doctorFinding) {
    if (counts.merge(doctorFinding.code(), 1, Integer::sum) <= EACH_CODE_BOUND) {
      found.add(doctorFinding);
    } else {
      omitted++;
    }
  }

  DoctorReport report(long records) {
    return new DoctorReport(found, records, omitted);
  }
}
