package dev.caliber.server.operation;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.CleanupStep;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The catalogue of operations, and the one way to run them: rights, idempotency, preconditions and
 * the audit log are the same for every protocol.
 */
public final class Operations {
  /** The server's own space, which no request can name. */
  public static final SpaceId SERVER_SPACE = new SpaceId("caliber.server");

  private static final long NOTHING = 0;

  private final Rooms rooms;
  private final ServerConfig config;
  private final Map<String, Operation<?, ?>> catalogue = new LinkedHashMap<>();

  private Operations(Rooms rooms, ServerConfig config, List<Operation<?, ?>> others) {
    this.rooms = rooms;
    this.config = config;
    Stream.of(
            RememberOperations.of(rooms, config.limits()),
            TrajectoryOperations.of(rooms, config.limits()),
            NoteOperations.of(rooms, config.limits()),
            ContextOperations.of(rooms, config.limits()),
            DeploymentOperations.of(rooms, config.limits()),
            SpaceOperations.of(rooms),
            OverviewOperations.of(rooms, config.limits()),
            GuardianOperations.of(rooms, config.limits()),
            AgentOperations.of(rooms, config.limits()),
            LeaseOperations.of(rooms, config.limits()),
            MailOperations.of(rooms, config.limits()),
            WorkOperations.of(rooms, config.limits()),
            ConflictOperations.of(rooms, config.limits()),
            List.of(commit()),
            others)
        .flatMap(List::stream)
        .forEach(operation -> catalogue.put(operation.name(), operation));
  }

  /** Over a store that was opened with {@link #tables}; others may add what they have. */
  public static Operations over(Rooms rooms, ServerConfig config, List<Operation<?, ?>> others) {
    return new Operations(rooms, config, others);
  }

  /** What the store has to be opened with. */
  public static List<Table<?>> tables() {
    return List.of(KeptAnswer.TABLE, AuditEntry.TABLE);
  }

  /** What goes by itself after a while. */
  public static List<CleanupStep> cleanup(ServerConfig config) {
    return List.of(new KeptAnswer.Expired(), new AuditEntry.Old(config.keeping().audit()));
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

  /** Does what is asked, if the caller may; durable on return. */
  public Answer run(Caller caller, Call call) {
    Operation<?, ?> operation = find(call.operation());
    requireRight(caller, operation);
    return run(operation, caller, call);
  }

  private static void requireRight(Caller caller, Operation<?, ?> operation) {
    if (!caller.right().covers(operation.right())) {
      throw ServerException.rightMissing(operation.name(), operation.right());
    }
  }

  private <I extends Record, O> Answer run(Operation<I, O> operation, Caller caller, Call call) {
    I input = Inputs.read(call.input(), operation.input());
    if (call.ifMatch().isPresent() && operation.target().isEmpty()) {
      throw ServerException.noPrecondition(operation.name());
    }
    if (!operation.isTransactional()) {
      Fenced.refuse(operation, call.input());
    }
    return switch (operation.work()) {
      case Reading<I, O>(var ask) -> {
        /* The revision first: should the record change in between, a later If-Match fails rather than overwrites. */
        Optional<Long> revision =
            operation
                .target()
                .flatMap(
                    target ->
                        rooms
                            .store()
                            .read(caller.space(), snapshot -> revision(snapshot, target, input)));
        yield new Answer(Json.bytes(ask.apply(caller, input)), revision, false);
      }
      case Writing<I, O>(var change) -> {
        Optional<Fenced> fence = Fenced.of(call.input());
        try {
          yield rooms
              .store()
              .write(
                  caller.space(),
                  transaction ->
                      kept(transaction, caller, call)
                          .orElseGet(
                              () -> {
                                fence.ifPresent(one -> one.check(transaction));
                                check(transaction, operation, call, input);
                                O made = change.apply(transaction, caller, input);
                                return record(
                                    transaction, new Done<>(operation, input, made), caller, call);
                              }));
        } catch (CaliberException refusal) {
          if (fence.isEmpty() || !fence.get().refused(rooms.agents(), caller, refusal)) {
            operation.refusal().record(caller, input, refusal);
          }
          throw refusal;
        }
      }
      case Lasting<I, O>(var work) ->
          call.idempotencyKey()
              .flatMap(
                  _ -> rooms.store().read(caller.space(), snapshot -> kept(snapshot, caller, call)))
              .orElseGet(
                  () ->
                      noted(new Done<>(operation, input, work.apply(caller, input)), caller, call));
    };
  }

  /** What was done, to be written down. */
  private record Done<I extends Record, O>(Operation<I, O> operation, I input, O output) {}

  private Optional<Answer> kept(Snapshot snapshot, Caller caller, Call call) {
    return call.idempotencyKey()
        .flatMap(key -> snapshot.find(KeptAnswer.TABLE, KeptAnswer.idOf(caller, key)))
        .map(
            answer -> {
              if (!answer.request().equals(KeptAnswer.requestOf(call))) {
                throw ServerException.keyReused();
              }
              return new Answer(
                  answer.body().getBytes(StandardCharsets.UTF_8), answer.revision(), true);
            });
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

  private static <I extends Record> Optional<Long> revision(
      Snapshot snapshot, Target<I> target, I input) {
    return snapshot.row(target.table(), target.key().apply(input)).map(Row::revision);
  }

  private <I extends Record, O> Answer record(
      Transaction transaction, Done<I, O> done, Caller caller, Call call) {
    byte[] body = Json.bytes(done.output());
    Optional<Long> revision =
        done.operation().target().flatMap(target -> revision(transaction, target, done.input()));
    audit(transaction, done, caller);
    call.idempotencyKey()
        .filter(_ -> !done.operation().isConfidential())
        .ifPresent(
            key ->
                transaction.put(
                    KeptAnswer.TABLE,
                    new KeptAnswer(
                        KeptAnswer.idOf(caller, key),
                        call.operation(),
                        KeptAnswer.requestOf(call),
                        new String(body, StandardCharsets.UTF_8),
                        revision,
                        transaction.now().plus(config.keeping().answers()))));
    return new Answer(body, revision, false);
  }

  private static <I extends Record> void audit(
      Transaction transaction, Done<I, ?> done, Caller caller) {
    Optional<Id> record = done.operation().target().map(target -> target.key().apply(done.input()));
    transaction.insert(
        AuditEntry.TABLE,
        new AuditEntry(
            transaction.newId(),
            caller.actor(),
            done.operation().name(),
            record,
            transaction.now()));
  }

  /** It has its commits behind it: what is written down comes after. */
  private <I extends Record, O> Answer noted(Done<I, O> done, Caller caller, Call call) {
    return done.operation().right() == Right.READ && call.idempotencyKey().isEmpty()
        ? new Answer(Json.bytes(done.output()), Optional.empty(), false)
        : rooms
            .store()
            .write(caller.space(), transaction -> record(transaction, done, caller, call));
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
    return Operation.writing(
        "commit",
        "Runs several writing operations as one transaction: all of them, or none.",
        Commit.class,
        (transaction, caller, input) -> {
          new Limit("server.limits.commit", config.limits().commit())
              .check(input.operations().size());
          List<Object> results = new ArrayList<>();
          for (int i = 0; i < input.operations().size(); i++) {
            results.add(step(transaction, caller, input.operations().get(i), i));
          }
          return new Committed(transaction.revision(), results);
        });
  }

  private Object step(Transaction transaction, Caller caller, Step step, int position) {
    try {
      Operation<?, ?> operation = find(step.operation());
      requireRight(caller, operation);
      return step(transaction, caller, operation, step.input());
    } catch (CaliberException e) {
      throw ServerException.at("/operations/%d/input".formatted(position), e);
    }
  }

  private static <I extends Record, O> O step(
      Transaction transaction, Caller caller, Operation<I, O> operation, JsonNode input) {
    if (!(operation.work() instanceof Writing<I, O>(var change))
        || operation.input() == Commit.class) {
      throw ServerException.notInACommit(operation.name());
    }
    I read = Inputs.read(input, operation.input());
    Fenced.of(input).ifPresent(fence -> fence.check(transaction));
    O made = change.apply(transaction, caller, read);
    audit(transaction, new Done<>(operation, read, made), caller);
    return made;
  }
}
