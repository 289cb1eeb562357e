package dev.caliber.testkit.crash;

import java.util.List;

/**
 * Result of one crash.
 *
 * @param acknowledged commits acknowledged as durable to the writers of this round
 * @param present commits in the store afterwards, over all rounds
 * @param lost acknowledged commits that are missing: must be 0 unless durability is relaxed
 * @param failures errors that writers got instead, one line each
 * @param findings all other deviations; empty if there are none
 */
public record CrashDrillReport(
    long acknowledged, long present, long lost, List<String> failures, List<String> findings) {

  public CrashDrillReport {
    failures = List.copyOf(failures);
    findings = List.copyOf(findings);
  }
}
