package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.RunPolicy;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Sets policies off: writes a run and its job in the commit of what triggers it. Steps come in the
 * order of policies, rules and actions; what retention asks for comes around them: summaries
 * before, prunes after.
 */
final class Triggers {
  static final String JOB = "memory.policy";
  private static final String MANUAL = "manual";
  private static final String RETENTION = "retention";
  private static final String CONSOLIDATION = "consolidation";
  static final PolicyStep CONSOLIDATING =
      new PolicyStep(CONSOLIDATION, new PolicyAction.Consolidate(), "");
  private static final CompiledConfig NOTHING =
      new CompiledConfig("", List.of(), List.of(), List.of(), List.of());

  private final Desk desk;
  private final CompiledConfig config;

  private Triggers(Desk desk, CompiledConfig config) {
    this.desk = desk;
    this.config = config;
  }

  /** Nothing to set off when the space has deployed nothing, and no setting asks for anything. */
  static Optional<Triggers> of(Desk desk) {
    return desk.deployed()
        .or(
            () ->
                Optional.of(NOTHING).filter(_ -> desk.config().notes().consolidation().atTaskEnd()))
        .map(config -> new Triggers(desk, config));
  }

  void fire(Trigger.Event event, Id about, Id trajectory, Optional<Id> scope) {
    List<PolicyStep> steps = steps(event);
    if (!steps.isEmpty()) {
      String name = event.name().toLowerCase(Locale.ROOT);
      set(new Occasion(name, about.toString(), Optional.of(trajectory), scope), steps);
    }
  }

  PolicyRun run(RunPolicy command) {
    PolicyDefinition policy =
        config.policies().stream()
            .filter(candidate -> candidate.name().equals(command.policy()))
            .findFirst()
            .orElseThrow(() -> MemoryException.unknownPolicy(command.policy()));
    Optional<Id> trajectory = reach(command);
    List<PolicyStep> steps =
        policy.rules().stream()
            .flatMap(rule -> rule.actions().stream())
            .map(action -> step(policy.name(), action))
            .toList();
    if (trajectory.isEmpty() && !steps.stream().allMatch(step -> isWide(step.action()))) {
      throw MemoryException.trajectoryRequired(command.policy());
    }
    String key =
        "%s %s %s %s"
            .formatted(command.policy(), text(trajectory), text(command.scope()), command.key());
    return set(new Occasion(MANUAL, key, trajectory, command.scope()), steps);
  }

  private static String text(Optional<Id> id) {
    return id.map(Id::toString).orElse("");
  }

  /** The trajectory that was named, or that of the scope. */
  private Optional<Id> reach(RunPolicy command) {
    Optional<Id> named = command.trajectory().map(id -> desk.view().trajectory(id).id());
    Optional<Id> scoped = command.scope().map(id -> desk.view().scope(id).trajectory());
    if (named.isPresent() && scoped.isPresent() && !named.equals(scoped)) {
      throw MemoryException.invalid(
          "scope", "one of trajectory " + named.get(), "one of " + scoped.get());
    }
    return named.or(() -> scoped);
  }

  /** Whether an action can be about the whole space; the others are about one trajectory. */
  static boolean isWide(PolicyAction action) {
    return switch (action) {
      case PolicyAction.Prune _, PolicyAction.Notify _ -> true;
      case PolicyAction.Summarize _,
          PolicyAction.ExtractArtifacts _,
          PolicyAction.Checkpoint _,
          PolicyAction.Inject _,
          PolicyAction.Consolidate _ ->
          false;
    };
  }

  /** The run of this occasion: a new one, or the one that is there. */
  PolicyRun set(Occasion occasion, List<PolicyStep> steps) {
    Optional<PolicyRun> there = desk.transaction().find(PolicyRun.TABLE, occasion.runId());
    return there.orElseGet(() -> begin(occasion, steps));
  }

  private PolicyRun begin(Occasion occasion, List<PolicyStep> steps) {
    PolicyRun run = occasion.run(steps, desk.now());
    Id job = Jobs.schedule(desk.transaction(), job(run, desk.now()));
    PolicyRun begun = run.seenToBy(job);
    desk.transaction().insert(PolicyRun.TABLE, begun);
    desk.begun(run.id());
    return begun;
  }

  /** What goes on with a run from a time on. */
  static JobRequest job(PolicyRun run, Instant from) {
    return JobRequest.of(JOB, Json.text(run.id()), from).once(run.id().toString());
  }

  /** Somebody asked for the notes of a task; whenever that is asked, it is another time. */
  static Occasion consolidation(Id trajectory, Id call) {
    return new Occasion(CONSOLIDATION, call.toString(), Optional.of(trajectory), Optional.empty());
  }

  List<PolicyStep> steps(PolicyDefinition policy, int rule) {
    return policy.rules().get(rule).actions().stream()
        .map(action -> step(policy.name(), action))
        .toList();
  }

  private List<PolicyStep> steps(Trigger.Event event) {
    Trigger trigger = new Trigger.On(event);
    List<PolicyStep> steps = new ArrayList<>(compressing(trigger).toList());
    consolidating(event).forEach(steps::add);
    for (PolicyDefinition policy : DeployedPolicies.of(config)) {
      policy.rules().stream()
          .filter(rule -> rule.on().equals(trigger))
          .flatMap(rule -> rule.actions().stream())
          .forEach(action -> steps.add(step(policy.name(), action)));
    }
    ending(event).forEach(steps::add);
    return steps;
  }

  /** A memory that is kept until it is compressed is summarised by the trigger. */
  private Stream<PolicyStep> compressing(Trigger trigger) {
    return config.memories().stream()
        .filter(memory -> memory.retention().equals(new Retention.CompressOn(trigger)))
        .map(memory -> step(RETENTION, new PolicyAction.Summarize(memory.name())));
  }

  /** Before policies and retention take away what notes are made of. */
  private Stream<PolicyStep> consolidating(Trigger.Event event) {
    return event == Trigger.Event.TASK_END && desk.config().notes().consolidation().atTaskEnd()
        ? Stream.of(CONSOLIDATING)
        : Stream.empty();
  }

  /** What lives as long as a scope or a session leaves at its end, each kind once. */
  private Stream<PolicyStep> ending(Trigger.Event event) {
    Set<MemoryKind> seen = EnumSet.noneOf(MemoryKind.class);
    return config.memories().stream()
        .filter(memory -> endsWith(MemoryKind.of(memory), event))
        .filter(memory -> seen.add(MemoryKind.of(memory)))
        .map(
            memory ->
                step(
                    RETENTION,
                    new PolicyAction.Prune(
                        memory.name(), new PruneCriteria.OlderThan(Duration.ZERO))));
  }

  private boolean endsWith(MemoryKind kind, Trigger.Event event) {
    return switch (event) {
      case SCOPE_CLOSE -> new Keeping(config).endsWithScope(kind);
      case TASK_END -> new Keeping(config).endsWithTask(kind);
      case TASK_START, TURN -> false;
    };
  }

  private PolicyStep step(String policy, PolicyAction action) {
    String target = action.target().flatMap(config::memory).map(Triggers::kind).orElse("");
    return new PolicyStep(policy, action, target);
  }

  private static String kind(MemoryDefinition memory) {
    return MemoryKind.of(memory).name();
  }
}
