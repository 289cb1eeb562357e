package dev.caliber.server.operation;

import dev.caliber.agents.AgentsErrorCode;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.server.operation.Operation.Change;
import dev.caliber.server.operation.Operation.Target;
import dev.caliber.server.operation.Operation.Work.Lasting;
import dev.caliber.server.operation.Operation.Work.Reading;
import dev.caliber.server.operation.Operation.Work.Writing;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Row;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The catalogue of operations, and the one way to run them: rights, idempotency, preconditions and
 * the audit log are the same for every protocol.
 */
public final class Operations {
  private static final long NOTHING = 0;

  private final Rooms rooms;
  private final ServerConfig config;
  private final Counting counting;
  private final AgentGate gate;
  private final SubjectAccess subjects;
  private final Map<String, Operation<?, ?>> catalogue = new LinkedHashMap<>();
  private final Map<AgentsErrorCode, LongAdder> refusals = new ConcurrentHashMap<>();

  private Operations(
      Rooms rooms, ServerConfig config, List<Operation<?, ?>> others, Counting counting) {
    this.rooms = rooms;
    this.config = config;
    this.counting = counting;
    this.gate = new AgentGate(rooms.agents());
    this.subjects = new SubjectAccess(rooms);
    Stream.of(
            RememberOperations.of(rooms, config.limits()),
            TrajectoryOperations.of(rooms, config.limits()),
            NoteOperations.of(rooms, config.limits()),
            ContextOperations.of(rooms, config.limits()),
            DeploymentOperations.of(rooms, config.limits()),
            SpaceOperations.of(rooms),
            GuardianOperations.of(rooms, config.limits()),
            AgentOperations.of(rooms, config.limits()),
            LeaseOperations.of(rooms, config.limits()),
            MailOperations.of(rooms, config.limits()),
            WorkOperations.of(rooms, config.limits()),
            ConflictOperations.of(rooms, config.limits()),
            OverviewOperations.of(rooms, config.limits()),
            List.of(commit()),
            others)
        .flatMap(List::stream)
        .forEach(operation -> catalogue.put(operation.name(), operation));
  }

  /** Over a store that was opened with {@link #tables}; others may add what they have. */
  public static Operations over(Rooms rooms, ServerConfig config, List<Operation<?, ?>> others) {
    return over(rooms, config, others, (_, _) -> {});
  }

  /** The same, with somebody who counts what a request does beside its first operation. */
  public static Operations over(
      Rooms rooms, ServerConfig config, List<Operation<?, ?>> others, Counting counting) {
    return new Operations(rooms, config, others, counting);
  }

  /** Told how many operations more than one a request has. */
  public interface Counting {
    void more(Caller caller, int operations);
  }

  /** What the store has to be opened with. */
  public static List<Table<?>> tables() {
    return List.of(KeptAnswer.TABLE, AuditEntry.TABLE);
  }

  /** What goes by itself after a while. */
  public static List<CleanupStep> cleanup(ServerConfig config) {
    return List.of(new KeptAnswer.Expired(), new AuditEntry.Old(config.keeping().audit()));
  }

  /** What has to go when something is forgotten. */
  public static QuotingRoom quoting() {
    return KeptAnswer.quoting();
  }

  public Collection<Operation<?, ?>> all() {
    return Collections.unmodifiableCollection(catalogue.values());
  }

  public Operation<?, ?> find(String name) {
    Operation<?, ?> found = catalogue.get(name);
    if (found == null) {
      throw ServerException.unknownOperation(name);
    }
    return found;
  }

  /** One that the contract has; those of a protocol alone are not asked for by name elsewhere. */
  public Operation<?, ?> listed(String name) {
    Operation<?, ?> found = find(name);
    if (!found.isListed()) {
      throw ServerException.unknownOperation(name);
    }
    return found;
  }

  /** Does what is asked, if the caller may; durable on return. */
  public Answer run(Caller caller, Call call) {
    Operation<?, ?> operation = find(call.operation());
    requireRight(caller, operation);
    InputText.require(call.input());
    try {
      return caller.subject().isPresent()
          ? bound(operation, caller, call)
          : run(operation, caller, call);
    } catch (CaliberException refusal) {
      if (refusal.code() instanceof AgentsErrorCode code) {
        refusals.computeIfAbsent(code, _ -> new LongAdder()).increment();
      }
      throw refusal;
    }
  }

  /** Runs the operation for one subject: records of other subjects do not exist meanwhile. */
  private Answer bound(Operation<?, ?> operation, Caller caller, Call call) {
    JsonNode input = SubjectAccess.bind(operation, caller, call.input());
    Call own = new Call(call.operation(), input, call.idempotencyKey(), call.ifMatch());
    return SubjectScopedStore.during(caller.scope(), () -> run(operation, caller, own));
  }

  /** How often agents were refused so, since the server began. */
  public long refused(AgentsErrorCode code) {
    return refusals.getOrDefault(code, new LongAdder()).sum();
  }

  private static void requireRight(Caller caller, Operation<?, ?> operation) {
    if (!caller.right().covers(operation.right())) {
      throw ServerException.rightMissing(operation.name(), operation.right());
    }
  }

  private <I extends Record, O> Answer run(Operation<I, O> operation, Caller caller, Call call) {
    I input = Inputs.read(Fenced.without(call.input()), operation.input());
    if (call.ifMatch().isPresent() && !operation.hasPrecondition()) {
      throw ServerException.noPrecondition(operation.name());
    }
    if (operation.isReading()) {
      Fenced.refuse(operation, call.input());
    }
    gate.require(new AgentGate.Wish<>(operation, caller, input, call.input()));
    subjects.audit(caller, call);
    return switch (operation.work()) {
      case Reading<I, O>(var ask) -> {
        /* The revision first: should the record change in between, a later If-Match fails rather than overwrites. */
        Optional<Long> revision = revision(caller, operation, input);
        yield new Answer(Json.bytes(ask.apply(caller, input)), revision, false);
      }
      case Writing<I, O>(var change) -> {
        Optional<Fenced> fence = Fenced.of(call.input());
        Asked<I, O> asked = new Asked<>(operation, caller, input);
        try {
          Optional<Answer> kept =
              change.isCostly(input) ? foreseen(asked, call, fence) : Optional.empty();
          yield kept.orElseGet(() -> write(asked, call, fence, change.prepared(caller, input)));
        } catch (CaliberException refusal) {
          traceOfAStep(refusal).orElse(() -> trace(asked, fence, refusal)).run();
          throw refusal;
        }
      }
      case Lasting<I, O>(var work) ->
          lasting(new Asked<>(operation, caller, input), call, () -> work.apply(caller, input));
    };
  }

  private <I extends Record, O> Answer write(
      Asked<I, O> asked, Call call, Optional<Fenced> fence, Change<I, O> ready) {
    Caller caller = asked.caller();
    I input = asked.input();
    AgentGate.Wish<I> wish = asked.wish(call);
    return rooms
        .store()
        .write(
            caller.space(),
            transaction ->
                kept(transaction, transaction.now(), caller, call)
                    .orElseGet(
                        () -> {
                          gate.again(transaction, wish);
                          fence.ifPresent(one -> one.check(transaction));
                          check(transaction, asked.operation(), call, input);
                          Transaction own =
                              subjects.admit(
                                  transaction, asked.operation(), caller, input, call.input());
                          O made = ready.apply(own, caller, input);
                          audit(transaction, asked);
                          return record(
                              transaction,
                              new Done<>(asked.operation(), input, made),
                              caller,
                              call);
                        }));
  }

  /** The answer that is kept; and refuses what its commit would, which looks again. */
  private <I extends Record> Optional<Answer> foreseen(
      Asked<I, ?> asked, Call call, Optional<Fenced> fence) {
    if (call.idempotencyKey().isEmpty() && call.ifMatch().isEmpty() && fence.isEmpty()) {
      return Optional.empty();
    }
    Instant now = rooms.clock().instant();
    return rooms
        .store()
        .read(
            asked.caller().space(),
            snapshot -> {
              Optional<Answer> kept = kept(snapshot, now, asked.caller(), call);
              if (kept.isEmpty()) {
                fence.ifPresent(one -> one.check(snapshot, now));
                check(snapshot, asked.operation(), call, asked.input());
              }
              return kept;
            });
  }

  /** An operation, who asked for it, and with what. */
  private record Asked<I extends Record, O>(Operation<I, O> operation, Caller caller, I input) {
    AgentGate.Wish<I> wish(Call call) {
      return new AgentGate.Wish<>(operation, caller, input, call.input());
    }
  }

  /** What is written down of a refusal: a conflict if a turn was lost, else what it says itself. */
  private <I extends Record> void trace(
      Asked<I, ?> asked, Optional<Fenced> fence, CaliberException refusal) {
    Optional<Operation.Refusal<I>> own = asked.operation().refusal();
    if (fence.isEmpty()
        || !fence.get().refused(rooms.agents(), asked.caller(), refusal, own.isEmpty())) {
      own.ifPresent(one -> one.record(asked.caller(), asked.input(), refusal));
    }
  }

  private static Optional<Runnable> traceOfAStep(CaliberException refusal) {
    return refusal instanceof ServerException known ? known.trace() : Optional.empty();
  }

  /** Its fence is checked when it begins, and in each of its commits. */
  private <I extends Record, O> Answer lasting(Asked<I, O> asked, Call call, Supplier<O> work) {
    Optional<Fenced> fence = Fenced.of(call.input());
    if (fence.isEmpty()) {
      return lasting(asked, call, fence, work);
    }
    Supplier<O> fenced = () -> fence.get().during(asked.caller().space(), work);
    return lasting(
        asked,
        call,
        fence,
        () -> told(asked, fence, asked.operation().refusal().isEmpty(), fenced));
  }

  /** What a fence refuses is written down; of the rest, what its own room does not. */
  private <T> T told(Asked<?, ?> asked, Optional<Fenced> fence, boolean alone, Supplier<T> work) {
    try {
      return work.get();
    } catch (CaliberException refusal) {
      traceOfAStep(refusal)
          .ifPresentOrElse(
              Runnable::run,
              () ->
                  fence.ifPresent(
                      one -> one.refused(rooms.agents(), asked.caller(), refusal, alone)));
      throw refusal;
    }
  }

  /**
   * Its commits are its own: that it begins is written down before, and its answer after. Whoever
   * only reads and wants nothing kept leaves no trace.
   */
  private <I extends Record, O> Answer lasting(
      Asked<I, O> asked, Call call, Optional<Fenced> fence, Supplier<O> work) {
    if (asked.operation().right() == Right.READ
        && call.idempotencyKey().isEmpty()
        && fence.isEmpty()) {
      return new Answer(Json.bytes(work.get()), Optional.empty(), false);
    }
    Caller caller = asked.caller();
    Begun begun =
        told(
            asked,
            fence,
            true,
            () ->
                rooms
                    .store()
                    .write(caller.space(), transaction -> begun(transaction, asked, call, fence)));
    if (begun.kept().isPresent()) {
      return begun.kept().get();
    }
    Done<I, O> done = new Done<>(asked.operation(), asked.input(), done(work, caller, begun));
    return rooms
        .store()
        .write(caller.space(), transaction -> record(transaction, done, caller, call));
  }

  /** What was refused may be tried again; what was done only after a while, recorded or not. */
  private <O> O done(Supplier<O> work, Caller caller, Begun begun) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      begun.pending().ifPresent(mine -> release(caller, mine, e));
      throw e;
    }
  }

  /** The answer that is kept; or, with a key, what keeps others from the same work. */
  private record Begun(Optional<Answer> kept, Optional<KeptAnswer> pending) {}

  /** What was done, to be written down. */
  private record Done<I extends Record, O>(Operation<I, O> operation, I input, O output) {}

  /** From here on nobody else works on the same request, unless it is answered already. */
  private <I extends Record> Begun begun(
      Transaction transaction, Asked<I, ?> asked, Call call, Optional<Fenced> fence) {
    Optional<Answer> kept = kept(transaction, transaction.now(), asked.caller(), call);
    if (kept.isPresent()) {
      return new Begun(kept, Optional.empty());
    }
    gate.again(transaction, asked.wish(call));
    fence.ifPresent(one -> one.check(transaction));
    subjects.admit(transaction, asked.operation(), asked.caller(), asked.input(), call.input());
    audit(transaction, asked);
    return new Begun(
        kept, keep(transaction, asked.caller(), call, Kept.pending(config.keeping().pending())));
  }

  /** Not what another has kept since, who began when this one had taken too long. */
  private void release(Caller caller, KeptAnswer mine, RuntimeException reason) {
    try {
      rooms
          .store()
          .write(
              caller.space(),
              transaction ->
                  transaction
                      .find(KeptAnswer.TABLE, mine.id())
                      .filter(mine::isSame)
                      .map(found -> transaction.delete(KeptAnswer.TABLE, found.id())));
    } catch (RuntimeException e) {
      reason.addSuppressed(e); // it goes by itself after a while
    }
  }

  private static Optional<Answer> kept(Snapshot snapshot, Instant now, Caller caller, Call call) {
    return call.idempotencyKey()
        .flatMap(key -> snapshot.find(KeptAnswer.TABLE, KeptAnswer.idOf(caller, key)))
        .filter(answer -> now.isBefore(answer.expiresAt()))
        .map(answer -> replayed(answer, call, now));
  }

  private static Answer replayed(KeptAnswer answer, Call call, Instant now) {
    if (!answer.request().equals(KeptAnswer.requestOf(call))) {
      throw ServerException.keyReused();
    }
    if (answer.isPending()) {
      throw ServerException.inProgress(Duration.between(now, answer.expiresAt()));
    }
    String body = answer.body().orElseThrow(ServerException::answerNotKept);
    return new Answer(body.getBytes(StandardCharsets.UTF_8), answer.revision(), true);
  }

  private static <I extends Record> void check(
      Snapshot snapshot, Operation<I, ?> operation, Call call, I input) {
    if (call.ifMatch().isPresent()) {
      long wanted = call.ifMatch().get();
      long found =
          operation.target().flatMap(target -> revision(snapshot, target, input)).orElse(NOTHING);
      if (wanted != found) {
        throw ServerException.preconditionFailed(wanted, found);
      }
    }
  }

  private <I extends Record> Optional<Long> revision(
      Caller caller, Operation<I, ?> operation, I input) {
    return operation
        .target()
        .flatMap(
            target ->
                rooms.store().read(caller.space(), snapshot -> revision(snapshot, target, input)));
  }

  private static <I extends Record> Optional<Long> revision(
      Snapshot snapshot, Target<I> target, I input) {
    return snapshot.row(target.table(), target.key().apply(input)).map(Row::revision);
  }

  private <I extends Record, O> Answer record(
      Transaction transaction, Done<I, O> done, Caller caller, Call call) {
    String body = Json.text(done.output());
    Optional<Long> revision =
        done.operation().target().flatMap(target -> revision(transaction, target, done.input()));
    Optional<String> open = Optional.of(body).filter(_ -> !done.operation().isConfidential());
    keep(
        transaction,
        caller,
        call,
        new Kept(open, revision, Optional.empty(), config.keeping().answers()));
    return new Answer(body.getBytes(StandardCharsets.UTF_8), revision, false);
  }

  /** What is kept of an answer, and how long. */
  private record Kept(
      Optional<String> body, Optional<Long> revision, Optional<Boolean> pending, Duration time) {
    static Kept pending(Duration time) {
      return new Kept(Optional.empty(), Optional.empty(), Optional.of(true), time);
    }
  }

  private static Optional<KeptAnswer> keep(
      Transaction transaction, Caller caller, Call call, Kept kept) {
    Optional<KeptAnswer> answer =
        call.idempotencyKey()
            .map(
                key ->
                    new KeptAnswer(
                        KeptAnswer.idOf(caller, key),
                        call.operation(),
                        KeptAnswer.requestOf(call),
                        kept.body(),
                        kept.revision(),
                        kept.pending(),
                        transaction.now().plus(kept.time())));
    answer.ifPresent(one -> transaction.put(KeptAnswer.TABLE, one));
    return answer;
  }

  private static <I extends Record> void audit(Transaction transaction, Asked<I, ?> asked) {
    Caller caller = asked.caller();
    Operation<I, ?> operation = asked.operation();
    transaction.insert(
        AuditEntry.TABLE,
        AuditEntry.of(
            transaction,
            caller,
            operation.name(),
            operation
                .target()
                .map(target -> target.key().apply(asked.input()))
                .or(() -> named(asked.input()))));
  }

  /** The record that an operation without a revision is about. */
  private static Optional<Id> named(Record input) {
    return switch (input) {
      case TrajectoryOperations.Named(var id) -> Optional.of(id);
      case RememberOperations.Forgetting wish -> wish.id();
      default -> Optional.empty();
    };
  }

  /** Several writing operations as one. */
  record Commit(List<Step> operations) {
    Commit {
      operations = List.copyOf(operations);
    }
  }

  record Step(String operation, JsonNode input) {}

  /** What each of them answered, in order. */
  record Committed(long revision, List<Object> results) {}

  private Operation<Commit, Committed> commit() {
    return Operation.<Commit, Committed>writing(
            "commit",
            "Runs several writing operations as one transaction: all of them, or none.",
            Commit.class,
            (transaction, caller, input) -> {
              new Limit("server.limits.commit", config.limits().commit())
                  .check(input.operations().size());
              counting.more(caller, Math.max(0, input.operations().size() - 1));
              List<Object> results = new ArrayList<>();
              for (int i = 0; i < input.operations().size(); i++) {
                results.add(step(transaction, caller, input.operations().get(i), i));
              }
              return new Committed(transaction.revision(), results);
            })
        .forAgents(Needs.NOTHING) // each of its steps needs its own
        .forSubjects();
  }

  private Object step(Transaction transaction, Caller caller, Step step, int position) {
    try {
      Operation<?, ?> operation = listed(step.operation());
      requireRight(caller, operation);
      return step(transaction, caller, operation, step.input());
    } catch (CaliberException e) {
      String place = "/operations/%d/input".formatted(position);
      throw traceOfAStep(e)
          .map(trace -> ServerException.at(place, e, trace))
          .orElseGet(() -> ServerException.at(place, e));
    }
  }

  private <I extends Record, O> O step(
      Transaction transaction, Caller caller, Operation<I, O> operation, JsonNode input) {
    if (!(operation.work() instanceof Writing<I, O>(var change))
        || operation.input() == Commit.class) {
      throw ServerException.notInACommit(operation.name());
    }
    JsonNode bound = SubjectAccess.bind(operation, caller, input);
    I read = Inputs.read(Fenced.without(bound), operation.input());
    gate.step(transaction, new AgentGate.Wish<>(operation, caller, read, input));
    Asked<I, O> asked = new Asked<>(operation, caller, read);
    Optional<Fenced> fence = Fenced.of(input);
    try {
      fence.ifPresent(one -> one.check(transaction));
      O made =
          change.apply(subjects.admit(transaction, operation, caller, read, bound), caller, read);
      audit(transaction, asked);
      return made;
    } catch (CaliberException e) {
      throw ServerException.at("", e, () -> trace(asked, fence, e));
    }
  }
}
