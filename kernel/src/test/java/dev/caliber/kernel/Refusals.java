package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertion that a call is refused with a code; it returns the refusal. */
public final class Refusals {
  private Refusals() {}

  public static KernelException refused(KernelErrorCode code, ThrowingCallable call) {
    var refusal = Assertions.catchThrowableOfType(KernelException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    return refusal;
  }
}
