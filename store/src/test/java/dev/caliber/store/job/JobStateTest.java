package dev.caliber.store.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.Transitions;
import org.junit.jupiter.api.Test;

final class JobStateTest {

  @Test
  void everyRowOfTheTableHoldsAndEveryOtherPairIsAnError() {
    for (JobState state : JobState.values()) {
      for (JobState.JobTransition jobTransition : JobState.JobTransition.values()) {
        var row =
            JobState.TRANSITIONS.rows().stream()
                .filter(r -> r.from() == state && r.event() == jobTransition)
                .findFirst();
        if (row.isPresent()) {
          assertThat(state.next(jobTransition)).isEqualTo(row.get().to());
        } else {
          assertThatThrownBy(() -> state.next(jobTransition))
              .isInstanceOfSatisfying(
                  CaliberException.class,
                  e -> assertThat(e.code()).isEqualTo(KernelErrorCode.INVALID_STATE_TRANSITION));
        }
      }
    }
  }

  @Test
  void onlyDoneIsTheEnd() {
    Transitions<JobState, JobState.JobTransition> table = JobState.TRANSITIONS;
    assertThat(table.terminal()).containsExactly(JobState.DONE);
    assertThat(table.initial()).isEqualTo(JobState.READY);
  }
}
