package dev.caliber.memory.pcp;

import dev.caliber.memory.command.RolledBack;
import java.util.Optional;

/**
 * What became of a wish to return.
 *
 * @param reason why not, if it was not done
 * @param dryRun whether it only says what would be done
 * @param done what was rolled back, or would be
 */
public record Recovery(
    boolean success, Optional<String> reason, boolean dryRun, Optional<RolledBack> done) {

  static Recovery of(RolledBack done, boolean dryRun) {
    return new Recovery(true, Optional.empty(), dryRun, Optional.of(done));
  }

  static Recovery refused(String reason, boolean dryRun) {
    return new Recovery(false, Optional.of(reason), dryRun, Optional.empty());
  }
}
