package dev.caliber.bench.harness;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** Reasons for which a run of the bench ends without figures. */
enum BenchErrorCode implements ErrorCode {
  BENCH_NOT_PREPARED(ErrorKind.UNAVAILABLE),
  BENCH_BASELINE_FAILED(ErrorKind.INTERNAL),
  BENCH_RESULTS_DIFFER(ErrorKind.INTERNAL),
  BENCH_COMMIT_NOT_DELIVERED(ErrorKind.INTERNAL);

  private final ErrorTraits traits;

  BenchErrorCode(ErrorKind kind) {
    this.traits = ErrorTraits.of(ErrorFamily.STORAGE, kind);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
