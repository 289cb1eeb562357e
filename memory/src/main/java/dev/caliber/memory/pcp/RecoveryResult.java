package dev.caliber.memory.pcp;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.memory.command.RollBackResult;
import java.util.Optional;

/**
 * Outcome of a recovery request.
 *
 * @param reason why it was refused, if it was
 * @param dryRun whether this is a preview
 * @param done what was rolled back, or would be
 * @param code the error code of the reason
 */
public record RecoveryResult(
    boolean success,
    Optional<String> reason,
    boolean dryRun,
    Optional<RollBackResult> done,
    Optional<String> code) {

  static RecoveryResult of(RollBackResult done, boolean dryRun) {
    return new RecoveryResult(true, Optional.empty(), dryRun, Optional.of(done), Optional.empty());
  }

  static RecoveryResult refusal(ErrorCode code, String reason, boolean dryRun) {
    return new RecoveryResult(
        false, Optional.of(reason), dryRun, Optional.empty(), Optional.of(code.text()));
  }
}
