package dev.caliber.testkit.crash;

import java.util.List;

/**
 * What one blow did.
 *
 * @param acknowledged commits that the writers of this round were told are durable
 * @param present commits that the store holds afterwards, over all rounds
 * @param lost acknowledged commits that are not there: must be 0 unless durability is relaxed
 * @param failures what writers were told instead, one line each
 * @param findings everything else that is not as it must be; empty if all is well
 */
public record DrillReport(
    long acknowledged, long present, long lost, List<String> failures, List<String> findings) {

  public DrillReport {
    failures = List.copyOf(failures);
    findings = List.copyOf(findings);
  }
}
