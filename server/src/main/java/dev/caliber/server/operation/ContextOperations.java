package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.pcp.ValidatedWindow;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The operations that compose, explain, replay and compare windows. */
final class ContextOperations {
  /** The permissions for records that windows quote. */
  static final RequiredPermissions READING =
      RequiredPermissions.forReading(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE);

  private final ServerModules modules;

  private ContextOperations(ServerModules modules) {
    this.modules = modules;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    ContextOperations here = new ContextOperations(modules);
    return List.of(
        Operation.longRunning("assemble_context", AssembleWindowRequest.class, here::assemble)
            .forAgents(READING)
            .forSubjects(SubjectRule.forReads()),
        PageReader.of(modules, limits)
            .listOperation(
                "list_windows",
                ListWindowsRequest.class,
                input -> input.query(modules.clock().instant()))
            .forAgents(READING)
            .forSubjects(),
        here.windowOperation("get_window", (_, window) -> window)
            .withTarget(Window.TABLE, RecordIdRequest::id),
        here.windowOperation("explain_window", (_, window) -> WindowExplanation.of(window)),
        here.windowOperation(
            "replay_window",
            (space, window) ->
                new ReplayWindowResponse(window.id(), modules.assembler().replay(space, window))),
        Operation.readOnly(
                "diff_windows",
                DiffWindowsRequest.class,
                (caller, input) ->
                    modules
                        .assembler()
                        .diff(
                            caller.space(),
                            here.window(caller, input.id()),
                            here.window(caller, input.other())))
            .forAgents(READING)
            .forSubjects(),
        Operation.readOnly(
                "annotate_window",
                AnnotateWindowRequest.class,
                (caller, input) ->
                    modules
                        .assembler()
                        .annotate(caller.space(), here.window(caller, input.id()), input.answer()))
            .forAgents(READING)
            .forSubjects(),
        Operation.longRunning(
                "apply_window_limits", ApplyWindowLimitsRequest.class, here::applyLimits)
            .forAgents(READING)
            .forSubjects());
  }

  private Window window(Caller caller, Id id) {
    return modules.assembler().window(caller.space(), id);
  }

  /** Returns the operation that reads a window, for agents that may read what windows quote. */
  private <O> Operation<RecordIdRequest, O> windowOperation(
      String name, BiFunction<SpaceId, Window, O> read) {
    return Operation.readOnly(
            name,
            RecordIdRequest.class,
            (caller, input) -> read.apply(caller.space(), window(caller, input.id())))
        .forAgents(READING)
        .forSubjects();
  }

  /** The retention of a window, if it is not a duration. */
  enum WindowRetentionMode {
    EPHEMERAL,
    PERMANENT;

    WindowPersistence persistence() {
      return this == EPHEMERAL
          ? new WindowPersistence.EphemeralPersistence()
          : new WindowPersistence.PermanentPersistence();
    }
  }

  /** The request for a window; the settings decide what it leaves out. */
  record AssembleWindowRequest(
      Optional<Id> trajectory,
      Optional<String> session,
      Optional<String> query,
      Optional<Integer> maxTokens,
      Optional<String> model,
      Optional<String> tokenizer,
      Optional<ContextFormat> format,
      Optional<WindowRetentionMode> keep,
      Optional<String> ttl,
      Optional<Instant> asOf,
      Optional<Boolean> dryRun,
      Optional<Boolean> dosed,
      Optional<String> subject,
      Optional<List<String>> subjects) {
    private Optional<WindowPersistence> persistence() {
      return ContextOperations.persistence(keep, ttl);
    }

    AssembleRequest toAssembleRequest(Id wanted, Caller caller) {
      return new AssembleRequest(
          wanted,
          query,
          maxTokens,
          model,
          tokenizer,
          format,
          Optional.empty(),
          persistence(),
          asOf,
          dryRun.orElse(false),
          caller.subject().or(() -> subject),
          SubjectPropertyReader.subjectScope(Optional.empty(), subjects));
    }
  }

  private ValidatedWindow assemble(Caller caller, AssembleWindowRequest input) {
    requireMayKeep(caller, input);
    AssembleRequest request = input.toAssembleRequest(resolveTrajectory(caller, input), caller);
    Supplier<ValidatedWindow> work =
        () -> modules.guardian().assemble(caller.space(), request, input.dosed().orElse(false));
    return isForSingleMember(caller, request)
        ? SubjectScopedStore.withScope(ReadableSubjects.of(request.subject()), work)
        : work.get();
  }

  /**
   * Returns whether the window is of a group but for one subject; it quotes no summary then,
   * because summaries quote other subjects.
   */
  private boolean isForSingleMember(Caller caller, AssembleRequest request) {
    return request.subject().isPresent()
        && request.visible().isEmpty()
        && modules
            .memory()
            .view(caller.space(), view -> view.trajectory(request.trajectory()))
            .isGroup();
  }

  private static Optional<WindowPersistence> persistence(
      Optional<WindowRetentionMode> keep, Optional<String> ttl) {
    ttl.ifPresent(_ -> InputReader.requireExclusive("ttl", keep));
    return ttl.map(ContextOperations::parsePersistence)
        .or(() -> keep.map(WindowRetentionMode::persistence));
  }

  private static WindowPersistence parsePersistence(String time) {
    try {
      return WindowPersistence.forDuration("ttl", time);
    } catch (KernelException e) {
      throw ServerException.inPart("/ttl", e);
    }
  }

  /** Refuses a caller with read permission only that sets a window's retention itself. */
  private static void requireMayKeep(Caller caller, AssembleWindowRequest input) {
    if (input.persistence().isPresent() && !caller.right().covers(AccessRight.WRITE)) {
      throw ServerException.rightMissing("assemble_context with keep or ttl", AccessRight.WRITE);
    }
  }

  private Id resolveTrajectory(Caller caller, AssembleWindowRequest input) {
    if (input.trajectory().isPresent() == input.session().isPresent()) {
      throw ServerException.invalidInput(
          "/trajectory", "Send either 'trajectory' or 'session', not both and not neither");
    }
    return input
        .trajectory()
        .orElseGet(
            () ->
                RequestFilters.newestTrajectory(
                    modules.memory(), caller, input.session().orElseThrow()));
  }

  /** The filter of the window list: a trajectory, or all. */
  record ListWindowsRequest(
      Optional<Id> trajectory, Optional<Integer> limit, Optional<String> cursor)
      implements PageReader.PageRequest {
    Query<Window> query(Instant now) {
      return trajectory
          .map(id -> Query.over(Window.TABLE, "trajectory", "assembled_at").equal(id))
          .orElseGet(() -> Query.over(Window.TABLE))
          .descending()
          .where(window -> window.isLive(now));
    }
  }

  /** The replayed text of a window. */
  record ReplayWindowResponse(Id window, String text) {}

  record DiffWindowsRequest(Id id, Id other) {}

  /**
   * The request to dose a window; without retention here, the new window is kept like the old one.
   */
  record ApplyWindowLimitsRequest(Id id, Optional<WindowRetentionMode> keep, Optional<String> ttl) {
    private static final Duration REST_BOUND = Duration.ofMillis(1);

    WindowPersistence persistence(Window window, Instant now) {
      return ContextOperations.persistence(keep, ttl)
          .or(
              () ->
                  window
                      .expiresAt()
                      .map(
                          end ->
                              new WindowPersistence.DurationPersistence(remainingTime(now, end))))
          .orElseGet(WindowPersistence.PermanentPersistence::new);
    }

    private static Duration remainingTime(Instant now, Instant end) {
      return end.isAfter(now) ? Duration.between(now, end) : REST_BOUND;
    }
  }

  private ValidatedWindow applyLimits(Caller caller, ApplyWindowLimitsRequest input) {
    Window window = window(caller, input.id());
    Instant now = modules.clock().instant();
    return modules.guardian().applyLimits(caller.space(), window, input.persistence(window, now));
  }

  /** A model's answer to a window. */
  record AnnotateWindowRequest(Id id, String answer) {}
}
