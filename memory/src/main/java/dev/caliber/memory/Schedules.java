package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Rules that the clock sets off, in UTC. The next minute of each rule is a job; doing it makes the
 * job of the next minute and then sets off the runs of its own: one for the space, and one for each
 * active trajectory. A rule that is no longer deployed ends with its job.
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
    List<PolicyDefinition> policies = desk.deployed().map(DeployedPolicies::of).orElse(List.of());
    for (PolicyDefinition policy : policies) {
      for (int rule = 0; rule < policy.rules().size(); rule++) {
        arm(policy, rule, desk.now());
      }
    }
  }

  /** Makes the job of the next minute, if the rule is still deployed. */
  boolean rearm(Appointment appointment) {
    Optional<PolicyDefinition> policy = named(appointment);
    policy.ifPresent(found -> arm(found, appointment.rule(), later(appointment)));
    return policy.isPresent();
  }

  /** How far the trajectories that an appointment is about have been gone through. */
  record Place(Optional<PageCursor> next) {}

  /** Sets off what is about the whole space; says where to go on, if there is more. */
  Optional<Place> begin(Appointment appointment) {
    List<PolicyStep> steps = steps(appointment);
    List<PolicyStep> wide = steps.stream().filter(step -> Triggers.isWide(step.action())).toList();
    if (!wide.isEmpty()) {
      triggers().set(occasion(appointment.key(), Optional.empty()), wide);
    }
    return wide.size() == steps.size()
        ? Optional.empty()
        : Optional.of(new Place(Optional.empty()));
  }

  /**
   * Sets off what is about each active trajectory, some of them. One that is touched meanwhile
   * comes again, and has its run.
   */
  Optional<Place> goOn(Appointment appointment, Place place) {
    List<PolicyStep> each =
        steps(appointment).stream().filter(step -> !Triggers.isWide(step.action())).toList();
    Page<Trajectory> page = active(place);
    if (!each.isEmpty()) {
      for (Trajectory active : page.records()) {
        String key = appointment.key() + " " + active.id();
        triggers().set(occasion(key, Optional.of(active.id())), each);
      }
    }
    return page.next().map(next -> new Place(Optional.of(next)));
  }

  private Page<Trajectory> active(Place place) {
    Query<Trajectory> active =
        Query.over(Trajectory.TABLE, "status", "updated_at").equal(TrajectoryStatus.ACTIVE.name());
    return desk.transaction()
        .scan(place.next().map(active::resume).orElse(active), desk.config().portion());
  }

  private List<PolicyStep> steps(Appointment appointment) {
    return named(appointment)
        .map(policy -> triggers().steps(policy, appointment.rule()))
        .orElse(List.of());
  }

  private Triggers triggers() {
    return Triggers.of(desk).orElseThrow();
  }

  private Optional<PolicyDefinition> named(Appointment appointment) {
    return desk.deployed().stream()
        .flatMap(config -> DeployedPolicies.of(config).stream())
        .filter(candidate -> candidate.name().equals(appointment.policy()))
        .filter(candidate -> appointment.rule() < candidate.rules().size())
        .filter(candidate -> isNamed(candidate, appointment))
        .findFirst();
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

  private static Occasion occasion(String key, Optional<Id> trajectory) {
    return new Occasion(TRIGGER, key, trajectory, Optional.empty());
  }
}
