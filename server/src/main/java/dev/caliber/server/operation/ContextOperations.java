package dev.caliber.server.operation;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.Annotation;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Explanation;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.context.WindowDiff;
import dev.caliber.memory.pcp.Checked;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.server.operation.TrajectoryOperations.Named;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Windows: composing, explaining, replaying and comparing them. */
final class ContextOperations {
  /** What windows quote. */
  static final Needs READING = Needs.reading(MemoryKind.TURN, MemoryKind.ARTIFACT, MemoryKind.NOTE);

  private final Rooms rooms;
  private final Pages pages;

  private ContextOperations(Rooms rooms, Pages pages) {
    this.rooms = rooms;
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    ContextOperations here = new ContextOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.assemble(),
        here.list(),
        here.get(),
        here.explain(),
        here.replay(),
        here.diff(),
        here.annotate(),
        here.dose());
  }

  /** How long a window is kept, where that is not a time. */
  enum Keep {
    EPHEMERAL,
    PERMANENT;

    Persistence persistence() {
      return this == EPHEMERAL ? new Persistence.Ephemeral() : new Persistence.Permanent();
    }
  }

  /** A wish for a window; what is not said is as the settings say. */
  record Assemble(
      Optional<Id> trajectory,
      Optional<String> session,
      Optional<String> query,
      Optional<Integer> maxTokens,
      Optional<String> model,
      Optional<String> tokenizer,
      Optional<ContextFormat> format,
      Optional<Keep> keep,
      Optional<String> ttl,
      Optional<Instant> asOf,
      Optional<Boolean> dryRun,
      Optional<Boolean> dosed,
      Optional<String> subject,
      Optional<List<String>> subjects) {
    private Optional<Persistence> persistence() {
      return ContextOperations.persistence(keep, ttl);
    }

    AssembleRequest request(Id wanted, Caller caller) {
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
          NamedSubjects.of(Optional.empty(), subjects));
    }
  }

  private Operation<Assemble, Checked> assemble() {
    return Operation.lasting(
            "assemble",
            "Composes the context for the next model call, under a hard budget of tokens.",
            Assemble.class,
            (Caller caller, Assemble input) -> {
              requireMayKeep(caller, input);
              AssembleRequest request = input.request(trajectory(caller, input), caller);
              Supplier<Checked> work =
                  () ->
                      rooms
                          .guardian()
                          .assemble(caller.space(), request, input.dosed().orElse(false));
              return isOfOneMember(caller, request)
                  ? SubjectScopedStore.during(SubjectScope.of(request.subject()), work)
                  : work.get();
            })
        .needing(Right.READ)
        .forAgents(READING)
        .forSubjects(SubjectRule.reading());
  }

  /** A window of a group for one subject quotes no summary, which quotes the others. */
  private boolean isOfOneMember(Caller caller, AssembleRequest request) {
    return request.subject().isPresent()
        && request.visible().isEmpty()
        && rooms
            .memory()
            .view(caller.space(), view -> view.trajectory(request.trajectory()))
            .isGroup();
  }

  private static Optional<Persistence> persistence(Optional<Keep> keep, Optional<String> ttl) {
    ttl.ifPresent(_ -> Inputs.requireAlone("ttl", keep));
    return ttl.map(ContextOperations::lasting).or(() -> keep.map(Keep::persistence));
  }

  private static Persistence lasting(String time) {
    try {
      return Persistence.lasting("ttl", time);
    } catch (KernelException e) {
      throw ServerException.at("/ttl", e);
    }
  }

  /** Whoever may only read has windows kept as settings say, and no longer. */
  private static void requireMayKeep(Caller caller, Assemble input) {
    if (input.persistence().isPresent() && !caller.right().covers(Right.WRITE)) {
      throw ServerException.rightMissing("assemble with keep or ttl", Right.WRITE);
    }
  }

  private Id trajectory(Caller caller, Assemble input) {
    if (input.trajectory().isPresent() == input.session().isPresent()) {
      throw ServerException.invalidInput(
          "/trajectory", "Wanted a trajectory or a session, found both or neither");
    }
    return input
        .trajectory()
        .orElseGet(() -> Filters.trajectory(rooms.memory(), caller, input.session().orElseThrow()));
  }

  /** Windows of a trajectory, or of all. */
  record ListWindows(Optional<Id> trajectory, Optional<Integer> limit, Optional<String> cursor) {
    Query<Window> query(Instant now) {
      return trajectory
          .map(id -> Query.over(Window.TABLE, "trajectory", "assembled_at").equal(id))
          .orElseGet(() -> Query.over(Window.TABLE))
          .descending()
          .where(window -> window.isKept(now));
    }
  }

  private Operation<ListWindows, Listed<Window>> list() {
    return Operation.<ListWindows, Listed<Window>>reading(
            "list_windows",
            "The windows that are kept, of a trajectory or of all, newest first.",
            ListWindows.class,
            (caller, input) ->
                pages.read(
                    caller,
                    input.query(rooms.clock().instant()),
                    new Pages.Wanted(input.limit(), input.cursor())))
        .forAgents(READING)
        .forSubjects();
  }

  private Window window(Caller caller, Id id) {
    return rooms.assembler().window(caller.space(), id);
  }

  private Operation<Named, Window> get() {
    return Operation.reading(
            "get_window",
            "A window with its ledger, without its text.",
            Named.class,
            (Caller caller, Named input) -> window(caller, input.id()))
        .about(Window.TABLE, Named::id)
        .forAgents(READING)
        .forSubjects();
  }

  private Operation<Named, Explanation> explain() {
    return Operation.<Named, Explanation>reading(
            "explain_window",
            "Why each candidate of a window is in or out.",
            Named.class,
            (caller, input) -> Explanation.of(window(caller, input.id())))
        .forAgents(READING)
        .forSubjects();
  }

  /** A window's text, made again. */
  record Replayed(Id window, String text) {}

  private Operation<Named, Replayed> replay() {
    return Operation.<Named, Replayed>reading(
            "replay_window",
            "The text of a window, made again: the same bytes, or a refusal that says why not.",
            Named.class,
            (caller, input) ->
                new Replayed(
                    input.id(),
                    rooms.assembler().replay(caller.space(), window(caller, input.id()))))
        .forAgents(READING)
        .forSubjects();
  }

  /** Two windows. */
  record Diff(Id id, Id other) {}

  private Operation<Diff, WindowDiff> diff() {
    return Operation.<Diff, WindowDiff>reading(
            "diff_windows",
            "What another window has that this one has not, and why.",
            Diff.class,
            (caller, input) ->
                rooms
                    .assembler()
                    .diff(
                        caller.space(), window(caller, input.id()), window(caller, input.other())))
        .forAgents(READING)
        .forSubjects();
  }

  /** A window to be held to the dosage; without a word on it, the other is kept as long. */
  record Dose(Id id, Optional<Keep> keep, Optional<String> ttl) {
    private static final Duration REST_BOUND = Duration.ofMillis(1);

    Persistence persistence(Window window, Instant now) {
      return ContextOperations.persistence(keep, ttl)
          .or(() -> window.expiresAt().map(end -> new Persistence.Ttl(rest(now, end))))
          .orElseGet(Persistence.Permanent::new);
    }

    private static Duration rest(Instant now, Instant end) {
      return end.isAfter(now) ? Duration.between(now, end) : REST_BOUND;
    }
  }

  private Operation<Dose, Checked> dose() {
    return Operation.<Dose, Checked>lasting(
            "dose_window",
            "A window within pcp.dosage: the same if it is, else one composed again of its candidates.",
            Dose.class,
            (caller, input) -> {
              Window window = window(caller, input.id());
              Instant now = rooms.clock().instant();
              return rooms.guardian().dose(caller.space(), window, input.persistence(window, now));
            })
        .forAgents(READING)
        .forSubjects();
  }

  /** A model's answer to a window. */
  record Annotate(Id id, String answer) {}

  private Operation<Annotate, Annotation> annotate() {
    return Operation.<Annotate, Annotation>reading(
            "annotate_window",
            "A model's answer to a window, claim by claim, with what supports it.",
            Annotate.class,
            (caller, input) ->
                rooms
                    .assembler()
                    .annotate(caller.space(), window(caller, input.id()), input.answer()))
        .forAgents(READING)
        .forSubjects();
  }
}
