package dev.caliber.server.operation;

import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.AnswerAnnotation;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.context.WindowDiff;
import dev.caliber.memory.context.WindowExplanation;
import dev.caliber.memory.pcp.ValidatedWindow;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The operations that compose, explain, replay and compare windows. */
final class ContextOperations {
  /** The permissions for records that windows quote. */
  static final RequiredPermissions READING =
      RequiredPermissions.forReading(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE);

  private final ServerModules serverModules;
  private final PageReader pageReader;

  private ContextOperations(ServerModules serverModules, PageReader pageReader) {
    this.serverModules = serverModules;
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(
      ServerModules serverModules, ServerConfig.ServerLimits serverLimits) {
    ContextOperations here =
        new ContextOperations(serverModules, PageReader.of(serverModules, serverLimits));
    return List.of(
        here.assembleOperation(),
        here.listOperation(),
        here.getOperation(),
        here.explainOperation(),
        here.replayOperation(),
        here.diffOperation(),
        here.annotateOperation(),
        here.doseOperation());
  }

  /** The retention of a window, if it is not a duration. */
  enum WindowKeepMode {
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
      Optional<WindowKeepMode> keep,
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
          SubjectProperties.subjectScope(Optional.empty(), subjects));
    }
  }

  private Operation<AssembleWindowRequest, ValidatedWindow> assembleOperation() {
    return Operation.longRunning(
            "assemble_context",
            "Composes the context for the next model call; the context never exceeds the token budget.",
            AssembleWindowRequest.class,
            (Caller caller, AssembleWindowRequest input) -> {
              requireMayKeep(caller, input);
              AssembleRequest request =
                  input.toAssembleRequest(resolveTrajectory(caller, input), caller);
              Supplier<ValidatedWindow> work =
                  () ->
                      serverModules
                          .guardian()
                          .assemble(caller.space(), request, input.dosed().orElse(false));
              return isForSingleMember(caller, request)
                  ? SubjectScopedStore.withScope(ReadableSubjects.of(request.subject()), work)
                  : work.get();
            })
        .withRight(AccessRight.READ)
        .forAgents(READING)
        .forSubjects(SubjectRule.forReads());
  }

  /**
   * Returns whether the window is of a group but for one subject; it quotes no summary then,
   * because summaries quote other subjects.
   */
  private boolean isForSingleMember(Caller caller, AssembleRequest request) {
    return request.subject().isPresent()
        && request.visible().isEmpty()
        && serverModules
            .memory()
            .view(caller.space(), view -> view.trajectory(request.trajectory()))
            .isGroup();
  }

  private static Optional<WindowPersistence> persistence(
      Optional<WindowKeepMode> keep, Optional<String> ttl) {
    ttl.ifPresent(_ -> InputReader.requireExclusive("ttl", keep));
    return ttl.map(ContextOperations::parsePersistence)
        .or(() -> keep.map(WindowKeepMode::persistence));
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
                    serverModules.memory(), caller, input.session().orElseThrow()));
  }

  /** The filter of the window list: a trajectory, or all. */
  record ListWindowsRequest(
      Optional<Id> trajectory, Optional<Integer> limit, Optional<String> cursor) {
    Query<Window> query(Instant now) {
      return trajectory
          .map(id -> Query.over(Window.TABLE, "trajectory", "assembled_at").equal(id))
          .orElseGet(() -> Query.over(Window.TABLE))
          .descending()
          .where(window -> window.isLive(now));
    }
  }

  private Operation<ListWindowsRequest, PageResponse<Window>> listOperation() {
    return Operation.<ListWindowsRequest, PageResponse<Window>>readOnly(
            "list_windows",
            "Lists the stored windows of one trajectory or of all trajectories, newest first.",
            ListWindowsRequest.class,
            (caller, input) ->
                pageReader.read(
                    caller,
                    input.query(serverModules.clock().instant()),
                    new PageReader.PageRequest(input.limit(), input.cursor())))
        .forAgents(READING)
        .forSubjects();
  }

  private Window readWindow(Caller caller, Id id) {
    return serverModules.assembler().window(caller.space(), id);
  }

  private Operation<RecordIdRequest, Window> getOperation() {
    return Operation.readOnly(
            "get_window",
            "Returns a stored window with its ledger (the decision about each candidate), without its text.",
            RecordIdRequest.class,
            (Caller caller, RecordIdRequest input) -> readWindow(caller, input.id()))
        .withTarget(Window.TABLE, RecordIdRequest::id)
        .forAgents(READING)
        .forSubjects();
  }

  private Operation<RecordIdRequest, WindowExplanation> explainOperation() {
    return Operation.<RecordIdRequest, WindowExplanation>readOnly(
            "explain_window",
            "Explains for each candidate of a window why it was included, shortened or left out.",
            RecordIdRequest.class,
            (caller, input) -> WindowExplanation.of(readWindow(caller, input.id())))
        .forAgents(READING)
        .forSubjects();
  }

  /** The replayed text of a window. */
  record ReplayWindowResponse(Id window, String text) {}

  private Operation<RecordIdRequest, ReplayWindowResponse> replayOperation() {
    return Operation.<RecordIdRequest, ReplayWindowResponse>readOnly(
            "replay_window",
            "Composes the text of a stored window again: returns the same bytes, or an error with the reason.",
            RecordIdRequest.class,
            (caller, input) ->
                new ReplayWindowResponse(
                    input.id(),
                    serverModules
                        .assembler()
                        .replay(caller.space(), readWindow(caller, input.id()))))
        .forAgents(READING)
        .forSubjects();
  }

  record DiffWindowsRequest(Id id, Id other) {}

  private Operation<DiffWindowsRequest, WindowDiff> diffOperation() {
    return Operation.<DiffWindowsRequest, WindowDiff>readOnly(
            "diff_windows",
            "Returns the differences between two windows, with the reason of each.",
            DiffWindowsRequest.class,
            (caller, input) ->
                serverModules
                    .assembler()
                    .diff(
                        caller.space(),
                        readWindow(caller, input.id()),
                        readWindow(caller, input.other())))
        .forAgents(READING)
        .forSubjects();
  }

  /**
   * The request to dose a window; without retention here, the new window is kept like the old one.
   */
  record DoseWindowRequest(Id id, Optional<WindowKeepMode> keep, Optional<String> ttl) {
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

  private Operation<DoseWindowRequest, ValidatedWindow> doseOperation() {
    return Operation.<DoseWindowRequest, ValidatedWindow>longRunning(
            "apply_window_limits",
            "Returns a window within pcp.window-limits: the given window if it fits, else a new window from the same candidates.",
            DoseWindowRequest.class,
            (caller, input) -> {
              Window window = readWindow(caller, input.id());
              Instant now = serverModules.clock().instant();
              return serverModules
                  .guardian()
                  .applyLimits(caller.space(), window, input.persistence(window, now));
            })
        .forAgents(READING)
        .forSubjects();
  }

  /** A model's answer to a window. */
  record AnnotateWindowRequest(Id id, String answer) {}

  private Operation<AnnotateWindowRequest, AnswerAnnotation> annotateOperation() {
    return Operation.<AnnotateWindowRequest, AnswerAnnotation>readOnly(
            "annotate_window",
            "Checks an answer of a model against its window: returns for each claim which items of the window support it.",
            AnnotateWindowRequest.class,
            (caller, input) ->
                serverModules
                    .assembler()
                    .annotate(caller.space(), readWindow(caller, input.id()), input.answer()))
        .forAgents(READING)
        .forSubjects();
  }
}
