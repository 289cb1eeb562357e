package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.pcp.ContradictionResolution;
import dev.caliber.memory.pcp.RecoveryRequest;
import dev.caliber.memory.pcp.RecoveryResult;
import dev.caliber.memory.pcp.TrajectoryTrace;
import dev.caliber.memory.pcp.ValidationReport;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.operation.TrajectoryOperations.TrajectoryIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The operations on the sources of contexts, on checkpoints and on timelines. */
final class ContextIntegrityOperations {
  private static final RequiredPermissions READING_ALL =
      RequiredPermissions.forReading(MemoryKind.values());
  private static final RequiredPermissions READING_ARTIFACTS =
      RequiredPermissions.forReading(MemoryKind.ARTIFACT);

  private final ServerModules modules;
  private final ContextIntegrity contextIntegrity;
  private final PageReader pageReader;

  private ContextIntegrityOperations(ServerModules modules, PageReader pageReader) {
    this.modules = modules;
    this.contextIntegrity = modules.guardian();
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    ContextIntegrityOperations here =
        new ContextIntegrityOperations(modules, PageReader.of(modules, limits));
    return Stream.of(
            here.validationOperations(), here.recoveryOperations(), here.timelineOperations())
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** The operations that validate the sources of contexts. */
  private List<Operation<?, ?>> validationOperations() {
    return List.of(
        Operation.readOnly("validate_trajectory", ValidateRequest.class, this::validate)
            .forAgents(READING_ALL),
        Operation.longRunning(
                "resolve_contradictions", ValidateRequest.class, this::resolveContradictions)
            .forAgents(RequiredPermissions.EVERYTHING),
        Operation.readOnly(
                "lint_trajectory",
                TrajectoryIdRequest.class,
                (caller, input) ->
                    contextIntegrity.lintTrajectory(caller.space(), input.trajectory()))
            .forAgents(READING_ARTIFACTS),
        Operation.readOnly(
                "lint_artifact",
                RecordIdRequest.class,
                (caller, input) -> contextIntegrity.lintArtifact(caller.space(), input.id()))
            .forAgents(READING_ARTIFACTS));
  }

  /** The operations on checkpoints. */
  private List<Operation<?, ?>> recoveryOperations() {
    return List.of(
        Operation.longRunning(
                "checkpoint",
                TrajectoryIdRequest.class,
                (caller, input) ->
                    contextIntegrity.saveCheckpoint(caller.space(), input.trajectory()))
            .forAgents(RequiredPermissions.forWriting(MemoryKind.TRAJECTORY))
            .forSubjects(),
        Operation.readOnly(
                "get_checkpoint_window",
                RecordIdRequest.class,
                (caller, input) -> contextIntegrity.windowAt(caller.space(), input.id()))
            .forAgents(ContextOperations.READING),
        Operation.longRunning("recover", RecoverRequest.class, this::recover)
            .forAgents(RecoverRequest::requiredPermissions),
        Operation.longRunning(
                "fork_trajectory",
                ForkCheckpointRequest.class,
                (caller, input) -> contextIntegrity.fork(caller.space(), input.id(), input.goal()))
            .forAgents(RequiredPermissions.EVERYTHING));
  }

  /** The operations on timelines, and the clean-up. */
  private List<Operation<?, ?>> timelineOperations() {
    return List.of(
        Operation.readOnly(
                "get_trajectory_state",
                TrajectoryIdRequest.class,
                (caller, input) ->
                    contextIntegrity.trajectoryState(caller.space(), input.trajectory()))
            .forAgents(READING_ALL)
            .forSubjects(),
        Operation.readOnly("get_trajectory_trace", TimelineRequest.class, this::readTimeline)
            .forAgents(READING_ALL)
            .forSubjects(),
        Operation.readOnly(
                "get_artifact_lineage",
                RecordIdRequest.class,
                (caller, input) -> contextIntegrity.lineage(caller.space(), input.id()))
            .forAgents(READING_ARTIFACTS)
            .forSubjects(),
        Operation.longRunning(
            "run_cleanup",
            NoInput.class,
            (caller, _) -> contextIntegrity.runCleanup(caller.space())));
  }

  /** The target of a validation: a whole trajectory, or one of its windows. */
  record ValidateRequest(Id trajectory, Optional<Id> window) {}

  private ValidationReport validate(Caller caller, ValidateRequest input) {
    return input
        .window()
        .map(
            id ->
                contextIntegrity.validate(
                    caller.space(), readWindow(caller, input.trajectory(), id)))
        .orElseGet(() -> contextIntegrity.validate(caller.space(), input.trajectory()));
  }

  private Window readWindow(Caller caller, Id trajectory, Id id) {
    return modules.assembler().window(caller.space(), trajectory, id);
  }

  /** The findings, and the contradictions that were resolved. */
  record ResolveContradictionsResponse(
      ValidationReport report, List<ContradictionResolution> resolved) {}

  private ResolveContradictionsResponse resolveContradictions(
      Caller caller, ValidateRequest input) {
    ValidationReport validationReport = validate(caller, input);
    return new ResolveContradictionsResponse(
        validationReport, contextIntegrity.resolveContradictions(caller.space(), validationReport));
  }

  /** The checkpoint to recover to; without one, the newest. */
  record RecoverRequest(Id trajectory, Optional<Id> checkpoint, Optional<Boolean> dryRun) {
    RequiredPermissions requiredPermissions() {
      return dryRun.orElse(false) ? READING_ALL : RequiredPermissions.EVERYTHING;
    }
  }

  private RecoveryResult recover(Caller caller, RecoverRequest input) {
    RecoveryRequest request =
        input
            .checkpoint()
            .map(RecoveryRequest::toCheckpoint)
            .orElseGet(() -> RecoveryRequest.toLatest(input.trajectory()));
    RecoveryResult would = contextIntegrity.recover(caller.space(), request.withDryRun());
    would
        .done()
        .filter(one -> !one.trajectory().equals(input.trajectory()))
        .ifPresent(
            _ -> {
              throw ServerException.invalidInput(
                  "/checkpoint", "'checkpoint' belongs to another trajectory than 'trajectory'");
            });
    return input.dryRun().orElse(false) ? would : contextIntegrity.recover(caller.space(), request);
  }

  /** The checkpoint to fork from. */
  record ForkCheckpointRequest(Id id, String goal) {}

  /** The filter of the timeline. */
  record TimelineRequest(Id trajectory, Optional<String> type, Optional<Integer> limit) {}

  private TrajectoryTrace readTimeline(Caller caller, TimelineRequest input) {
    return contextIntegrity.trajectoryTrace(
        caller.space(), input.trajectory(), input.type(), pageReader.pageSize(input.limit()));
  }
}
