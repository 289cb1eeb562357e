package dev.caliber.memory.pcp;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.memory.command.RolledBack;
import java.util.Optional;

/**
 * What became of a wish to return.
 *
 * @param reason why not, if it was not done
 * @param dryRun whether it only says what would be done
 * @param done what was rolled back, or would be
 * @param code of the reason, as an error would have it
 */
public record Recovery(
    boolean success,
    Optional<String> reason,
    boolean dryRun,
    Optional<RolledBack> done,
    Optional<String> code) {

  static Recovery of(RolledBack done, boolean dryRun) {
    return new Recovery(true, Optional.empty(), dryRun, Optional.of(done), Optional.empty());
  }

  static Recovery refused(ErrorCode code, String reason, boolean dryRun) {
    return new Recovery(
        false, Optional.of(reason), dryRun, Optional.empty(), Optional.of(code.text()));
  }
}
