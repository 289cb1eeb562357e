package dev.caliber.memory.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelErrorCode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class DeployedConfigStatusTest {

  @Test
  @DisplayName("PACK-30: every row of the status table holds, and every other pair is an error")
  void visitsEveryRow() {
    for (DeployedConfigStatus status : DeployedConfigStatus.values()) {
      for (DeployedConfigStatus.ConfigTransition configTransition :
          DeployedConfigStatus.ConfigTransition.values()) {
        var row =
            DeployedConfigStatus.TRANSITIONS.rows().stream()
                .filter(r -> r.from() == status && r.event() == configTransition)
                .findFirst();
        if (row.isPresent()) {
          assertThat(status.next(configTransition)).isEqualTo(row.get().to());
        } else {
          assertThatThrownBy(() -> status.next(configTransition))
              .isInstanceOfSatisfying(
                  CaliberException.class,
                  e -> assertThat(e.code()).isEqualTo(KernelErrorCode.INVALID_STATE_TRANSITION));
        }
      }
    }
  }

  @Test
  void noStatusIsTheEnd() {
    assertThat(DeployedConfigStatus.TRANSITIONS.terminal()).isEmpty();
    assertThat(DeployedConfigStatus.TRANSITIONS.initial()).isEqualTo(DeployedConfigStatus.DEPLOYED);
  }
}
