package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Rules that the clock sets off, in UTC. The next minute of each rule is a job; doing it sets off
 * the runs of that minute and makes the job of the next, in one commit. A rule that is no longer
 * deployed ends with its job.
 */
final class Schedules {
  static final String JOB = "memory.schedule";
  private static final String TRIGGER = "schedule";

  /** A rule, by its place, and the minute it is about. */
  record Appointment(String policy, int rule, Instant minute) {
    String key() {
      return policy + " " + rule + " " + minute;
    }
  }

  private final Desk desk;

  Schedules(Desk desk) {
    this.desk = desk;
  }

  /** Makes the jobs that are not there yet. */
  void arm() {
    List<PolicyDefinition> policies =
        desk.deployed().map(config -> config.policies()).orElse(List.of());
    for (PolicyDefinition policy : policies) {
      for (int rule = 0; rule < policy.rules().size(); rule++) {
        arm(policy, rule, desk.now());
      }
    }
  }

  /** Sets off what the appointment says, if it is still deployed. */
  void keep(Appointment appointment) {
    Optional<PolicyDefinition> policy =
        desk.deployed().stream()
            .flatMap(config -> config.policies().stream())
            .filter(candidate -> candidate.name().equals(appointment.policy()))
            .filter(candidate -> appointment.rule() < candidate.rules().size())
            .filter(candidate -> isNamed(candidate, appointment))
            .findFirst();
    policy.ifPresent(
        found -> {
          set(found, appointment);
          arm(found, appointment.rule(), later(appointment));
        });
  }

  /** Minutes that passed while nobody worked are not made up for. */
  private Instant later(Appointment appointment) {
    return appointment.minute().isAfter(desk.now()) ? appointment.minute() : desk.now();
  }

  private static boolean isNamed(PolicyDefinition policy, Appointment appointment) {
    return policy.rules().get(appointment.rule()).on() instanceof Trigger.Schedule(var cron)
        && cron.matches(LocalDateTime.ofInstant(appointment.minute(), ZoneOffset.UTC));
  }

  private void arm(PolicyDefinition policy, int rule, Instant after) {
    if (policy.rules().get(rule).on() instanceof Trigger.Schedule(var cron)) {
      cron.next(LocalDateTime.ofInstant(after, ZoneOffset.UTC))
          .map(minute -> new Appointment(policy.name(), rule, minute.toInstant(ZoneOffset.UTC)))
          .ifPresent(this::make);
    }
  }

  private void make(Appointment appointment) {
    Jobs.schedule(
        desk.transaction(),
        JobRequest.of(JOB, Json.text(appointment), appointment.minute()).once(appointment.key()));
  }

  /** What is about the space is one run; what is about a trajectory is one for each active one. */
  private void set(PolicyDefinition policy, Appointment appointment) {
    Triggers triggers = Triggers.of(desk).orElseThrow();
    List<PolicyStep> steps = triggers.steps(policy, appointment.rule());
    List<PolicyStep> wide = steps.stream().filter(step -> isWide(step.action())).toList();
    List<PolicyStep> each = steps.stream().filter(step -> !isWide(step.action())).toList();
    if (!wide.isEmpty()) {
      triggers.set(occasion(appointment.key(), Optional.empty()), wide);
    }
    if (!each.isEmpty()) {
      for (Trajectory active : desk.view().trajectories(TrajectoryStatus.ACTIVE)) {
        String key = appointment.key() + " " + active.id();
        triggers.set(occasion(key, Optional.of(active.id())), each);
      }
    }
  }

  private static boolean isWide(PolicyAction action) {
    return action instanceof PolicyAction.Prune || action instanceof PolicyAction.Notify;
  }

  private static Occasion occasion(String key, Optional<Id> trajectory) {
    return new Occasion(TRIGGER, key, trajectory, Optional.empty());
  }
}
