package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.server.operation.Operation.OperationChange;
import dev.caliber.server.operation.Operation.OperationWork.LongRunningWork;
import dev.caliber.server.operation.Operation.OperationWork.ReadOnlyWork;
import dev.caliber.server.operation.Operation.OperationWork.TransactionalWork;
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
 * The catalogue of operations and the one way to run them: rights, idempotency, preconditions and
 * the audit log are the same for every protocol.
 */
public final class OperationDispatcher {
  private static final long NOTHING = 0;

  private final ServerModules modules;
  private final ServerConfig config;
  private final OperationCounter operationCounter;
  private final ActingAgentCheck gate;
  private final SubjectAccessCheck subjects;
  private final Map<String, Operation<?, ?>> catalogue = new LinkedHashMap<>();
  private final Map<AgentsErrorCode, LongAdder> refusals = new ConcurrentHashMap<>();

  private OperationDispatcher(
      ServerModules modules,
      ServerConfig config,
      List<Operation<?, ?>> others,
      OperationCounter operationCounter) {
    this.modules = modules;
    this.config = config;
    this.operationCounter = operationCounter;
    this.gate = new ActingAgentCheck(modules.agents());
    this.subjects = new SubjectAccessCheck(modules);
    Stream.of(
            RememberOperations.operations(modules, config.limits()),
            TrajectoryOperations.operations(modules, config.limits()),
            NoteOperations.operations(modules, config.limits()),
            ContextOperations.operations(modules, config.limits()),
            DeploymentOperations.operations(modules, config.limits()),
            SpaceOperations.operations(modules),
            ContextIntegrityOperations.operations(modules, config.limits()),
            AgentOperations.operations(modules, config.limits()),
            LeaseOperations.operations(modules, config.limits()),
            MailOperations.operations(modules, config.limits()),
            DelegationOperations.operations(modules, config.limits()),
            ConflictOperations.operations(modules, config.limits()),
            OverviewOperations.operations(modules, config.limits()),
            List.of(commitOperation()),
            others)
        .flatMap(List::stream)
        .forEach(operation -> catalogue.put(operation.name(), operation));
  }

  /** Uses a store that was opened with {@link #tables}, and adds operations of other modules. */
  public static OperationDispatcher of(
      ServerModules modules, ServerConfig config, List<Operation<?, ?>> others) {
    return of(modules, config, others, (_, _) -> {});
  }

  /** Reports the steps of multi-operation requests to the counter. */
  public static OperationDispatcher of(
      ServerModules modules,
      ServerConfig config,
      List<Operation<?, ?>> others,
      OperationCounter operationCounter) {
    return new OperationDispatcher(modules, config, others, operationCounter);
  }

  /** The counter of a request's operations beyond the first, for rate limits. */
  public interface OperationCounter {
    void countAdditional(Caller caller, int operations);
  }

  /** The tables that the store has to be opened with. */
  public static List<Table<?>> tables() {
    return List.of(IdempotencyRecord.TABLE, AuditEntry.TABLE);
  }

  /** The clean-up of expired records. */
  public static List<CleanupStep> cleanupSteps(ServerConfig config) {
    return List.of(
        IdempotencyRecord.cleanupStep(), AuditEntry.cleanupStep(config.keeping().audit()));
  }

  /** The listener that deletes stored answers when a record is forgotten. */
  public static ForgetListener forgetListener() {
    return IdempotencyRecord.forgetListener();
  }

  public Collection<Operation<?, ?>> allOperations() {
    return Collections.unmodifiableCollection(catalogue.values());
  }

  public Operation<?, ?> find(String name) {
    Operation<?, ?> found = catalogue.get(name);
    if (found == null) {
      throw ServerException.unknownOperation(name);
    }
    return found;
  }

  /** Returns an operation of the contract; others are for one protocol only and are not found. */
  public Operation<?, ?> findListed(String name) {
    Operation<?, ?> found = find(name);
    if (ApiContract.instance().routes(name).isEmpty()) {
      throw ServerException.unknownOperation(name);
    }
    return found;
  }

  /** Runs an operation if the caller may; durable on return. */
  public OperationResult run(Caller caller, OperationRequest operationRequest) {
    Operation<?, ?> operation = find(operationRequest.operation());
    requireRight(caller, operation);
    InputTextCheck.requireStorable(operationRequest.input());
    try {
      return caller.subject().isPresent()
          ? runForSubject(operation, caller, operationRequest)
          : runOperation(operation, caller, operationRequest);
    } catch (CaliberException refusal) {
      if (refusal.code() instanceof AgentsErrorCode code) {
        refusals.computeIfAbsent(code, _ -> new LongAdder()).increment();
      }
      throw refusal;
    }
  }

  /** Runs the operation for one subject; records of other subjects are hidden meanwhile. */
  private OperationResult runForSubject(
      Operation<?, ?> operation, Caller caller, OperationRequest operationRequest) {
    JsonNode input = SubjectAccessCheck.bindSubject(operation, caller, operationRequest.input());
    OperationRequest own =
        new OperationRequest(
            operationRequest.operation(),
            input,
            operationRequest.idempotencyKey(),
            operationRequest.ifMatch());
    return SubjectScopedStore.withScope(
        caller.subjectScope(), () -> runOperation(operation, caller, own));
  }

  /** The number of refusals of agents with this code since the server's start. */
  public long refusalCount(AgentsErrorCode code) {
    return refusals.getOrDefault(code, new LongAdder()).sum();
  }

  private static void requireRight(Caller caller, Operation<?, ?> operation) {
    if (!caller.right().covers(operation.right())) {
      throw ServerException.rightMissing(operation.name(), operation.right());
    }
  }

  private <I extends Record, O> OperationResult runOperation(
      Operation<I, O> operation, Caller caller, OperationRequest request) {
    OperationInvocation<I, O> invocation = OperationInvocation.of(operation, caller, request);
    if (request.ifMatch().isPresent() && !operation.hasPrecondition()) {
      throw ServerException.preconditionUnsupported(operation.name());
    }
    if (operation.isReadOnly()) {
      FenceParameter.requireAbsent(operation, request.input());
    }
    gate.requirePermission(invocation);
    subjects.auditNamedSubjects(caller, request);
    return switch (operation.work()) {
      case ReadOnlyWork<I, O>(var ask) -> {
        /*
         * Reads the revision first: if the record changes in between, a later If-Match fails
         * instead of overwriting it.
         */
        Optional<Long> revision =
            operation
                .target()
                .flatMap(
                    _ ->
                        modules
                            .store()
                            .read(
                                caller.space(), snapshot -> targetRevision(snapshot, invocation)));
        byte[] answer = Json.bytes(ask.apply(caller, invocation.input()));
        yield new OperationResult(answer, revision, false);
      }
      case TransactionalWork<I, O>(var change) -> runTransactional(invocation, change);
      case LongRunningWork<I, O>(var work) ->
          runLongRunning(invocation, () -> work.apply(caller, invocation.input()));
    };
  }

  private <I extends Record, O> OperationResult runTransactional(
      OperationInvocation<I, O> invocation, OperationChange<I, O> change) {
    try {
      Optional<OperationResult> storedResult =
          change.isCostly(invocation.input()) ? checkBeforeSlowWork(invocation) : Optional.empty();
      return storedResult.orElseGet(
          () -> commit(invocation, change.prepare(invocation.caller(), invocation.input())));
    } catch (CaliberException refusal) {
      stepRefusalTrace(refusal).orElse(() -> recordRefusal(invocation, refusal)).run();
      throw refusal;
    }
  }

  private <I extends Record, O> OperationResult commit(
      OperationInvocation<I, O> invocation, OperationChange<I, O> ready) {
    return modules
        .store()
        .write(
            invocation.caller().space(),
            transaction ->
                findStoredAnswer(transaction, transaction.now(), invocation)
                    .orElseGet(
                        () -> {
                          Transaction own = admit(transaction, invocation);
                          O made = ready.apply(own, invocation.caller(), invocation.input());
                          writeAuditEntry(transaction, invocation);
                          return recordAnswer(transaction, invocation, made);
                        }));
  }

  /** Checks in the commit what may have changed, and returns the transaction for the operation. */
  private Transaction admit(Transaction transaction, OperationInvocation<?, ?> invocation) {
    gate.recheckInCommit(transaction, invocation);
    requireUnchanged(transaction, transaction.now(), invocation);
    return subjects.admitTransaction(transaction, invocation);
  }

  /** Refuses a lost fence and another revision than the request names. */
  private static void requireUnchanged(
      Snapshot snapshot, Instant now, OperationInvocation<?, ?> invocation) {
    invocation.fence().ifPresent(fence -> fence.checkFence(snapshot, now));
    invocation
        .request()
        .ifMatch()
        .ifPresent(
            wanted -> {
              long found = targetRevision(snapshot, invocation).orElse(NOTHING);
              if (wanted != found) {
                throw ServerException.preconditionFailed(wanted, found);
              }
            });
  }

  /** Returns the stored answer, if any, and refuses early what the commit would refuse. */
  private Optional<OperationResult> checkBeforeSlowWork(OperationInvocation<?, ?> invocation) {
    OperationRequest request = invocation.request();
    if (request.idempotencyKey().isEmpty()
        && request.ifMatch().isEmpty()
        && invocation.fence().isEmpty()) {
      return Optional.empty();
    }
    Instant now = modules.clock().instant();
    return modules
        .store()
        .read(
            invocation.caller().space(),
            snapshot -> {
              Optional<OperationResult> storedResult = findStoredAnswer(snapshot, now, invocation);
              if (storedResult.isEmpty()) {
                requireUnchanged(snapshot, now, invocation);
              }
              return storedResult;
            });
  }

  /** Records a refusal: a conflict if the fence was lost, else the trace of the refusal itself. */
  private <I extends Record> void recordRefusal(
      OperationInvocation<I, ?> invocation, CaliberException refusal) {
    Optional<Operation.RefusalRecorder<I>> own = invocation.operation().refusal();
    if (!recordLostFence(invocation, refusal, own.isEmpty())) {
      own.ifPresent(one -> one.recordRefusal(invocation.caller(), invocation.input(), refusal));
    }
  }

  /** Returns whether the refusal is by the fence and was recorded. */
  private boolean recordLostFence(
      OperationInvocation<?, ?> invocation, CaliberException refusal, boolean alone) {
    return invocation
        .fence()
        .filter(fence -> fence.recordRefusal(modules.agents(), invocation.caller(), refusal, alone))
        .isPresent();
  }

  private static Optional<Runnable> stepRefusalTrace(CaliberException refusal) {
    return refusal instanceof ServerException known ? known.refusalTrace() : Optional.empty();
  }

  /** Records a refusal by the fence, and others unless their module does. */
  private <T> T recordingRefusal(
      OperationInvocation<?, ?> invocation, boolean alone, Supplier<T> work) {
    try {
      return work.get();
    } catch (CaliberException refusal) {
      stepRefusalTrace(refusal).orElse(() -> recordLostFence(invocation, refusal, alone)).run();
      throw refusal;
    }
  }

  /**
   * Runs work with commits of its own: the start is recorded before it, the answer after it, and
   * the fence is checked in each commit. A read-only call without an idempotency key leaves no
   * trace.
   */
  private <I extends Record, O> OperationResult runLongRunning(
      OperationInvocation<I, O> invocation, Supplier<O> work) {
    Caller caller = invocation.caller();
    Optional<FenceParameter> fence = invocation.fence();
    if (invocation.operation().right() == AccessRight.READ
        && invocation.request().idempotencyKey().isEmpty()
        && fence.isEmpty()) {
      return new OperationResult(Json.bytes(work.get()), Optional.empty(), false);
    }
    LongRunningStart start =
        recordingRefusal(
            invocation,
            true,
            () ->
                modules
                    .store()
                    .write(
                        caller.space(), transaction -> beginLongRunning(transaction, invocation)));
    if (start.storedAnswer().isPresent()) {
      return start.storedAnswer().get();
    }
    Supplier<O> fenced =
        fence
            .<Supplier<O>>map(
                one ->
                    () ->
                        recordingRefusal(
                            invocation,
                            invocation.operation().refusal().isEmpty(),
                            () -> one.runFenced(caller.space(), work)))
            .orElse(work);
    O made = runOrRelease(fenced, caller, start);
    return modules
        .store()
        .write(caller.space(), transaction -> recordAnswer(transaction, invocation, made));
  }

  /**
   * Runs the work and releases the key if it fails, so that a retry is possible. If only the
   * recording of the answer fails later, the key stays pending until it expires, because the work
   * is done.
   */
  private <O> O runOrRelease(Supplier<O> work, Caller caller, LongRunningStart start) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      start.pending().ifPresent(mine -> releasePending(caller, mine, e));
      throw e;
    }
  }

  /** The stored answer; or, with a key, the pending record that blocks a second run. */
  private record LongRunningStart(
      Optional<OperationResult> storedAnswer, Optional<IdempotencyRecord> pending) {}

  /** Marks the request as pending, so that no other call runs it, unless it is answered already. */
  private LongRunningStart beginLongRunning(
      Transaction transaction, OperationInvocation<?, ?> invocation) {
    Optional<OperationResult> storedResult =
        findStoredAnswer(transaction, transaction.now(), invocation);
    if (storedResult.isPresent()) {
      return new LongRunningStart(storedResult, Optional.empty());
    }
    admit(transaction, invocation);
    writeAuditEntry(transaction, invocation);
    return new LongRunningStart(
        storedResult,
        storeAnswer(
            transaction,
            invocation,
            StoredAnswerContent.ofPending(config.keeping().pendingTimeout())));
  }

  /** Deletes the pending record, unless another request has replaced it after it expired. */
  private void releasePending(Caller caller, IdempotencyRecord mine, RuntimeException reason) {
    try {
      modules
          .store()
          .write(
              caller.space(),
              transaction ->
                  transaction
                      .find(IdempotencyRecord.TABLE, mine.id())
                      .filter(mine::isUnchanged)
                      .map(found -> transaction.delete(IdempotencyRecord.TABLE, found.id())));
    } catch (RuntimeException e) {
      reason.addSuppressed(e); // the record expires by itself
    }
  }

  private static Optional<OperationResult> findStoredAnswer(
      Snapshot snapshot, Instant now, OperationInvocation<?, ?> invocation) {
    return invocation
        .request()
        .idempotencyKey()
        .flatMap(
            key ->
                snapshot.find(
                    IdempotencyRecord.TABLE, IdempotencyRecord.idOf(invocation.caller(), key)))
        .filter(answer -> now.isBefore(answer.expiresAt()))
        .map(answer -> replayAnswer(answer, invocation.request(), now));
  }

  private static OperationResult replayAnswer(
      IdempotencyRecord answer, OperationRequest operationRequest, Instant now) {
    if (!answer.request().equals(IdempotencyRecord.requestHash(operationRequest))) {
      throw ServerException.idempotencyKeyReused();
    }
    if (answer.isPending()) {
      throw ServerException.requestInProgress(Duration.between(now, answer.expiresAt()));
    }
    String body = answer.body().orElseThrow(ServerException::answerNotStored);
    return new OperationResult(body.getBytes(StandardCharsets.UTF_8), answer.revision(), true);
  }

  private static <I extends Record> Optional<Long> targetRevision(
      Snapshot snapshot, OperationInvocation<I, ?> invocation) {
    return invocation
        .operation()
        .target()
        .flatMap(target -> snapshot.row(target.table(), target.key().apply(invocation.input())))
        .map(Row::revision);
  }

  private <O> OperationResult recordAnswer(
      Transaction transaction, OperationInvocation<?, O> invocation, O made) {
    String body = Json.text(made);
    Optional<Long> revision = targetRevision(transaction, invocation);
    Optional<String> open = Optional.of(body).filter(_ -> !invocation.operation().confidential());
    storeAnswer(
        transaction,
        invocation,
        new StoredAnswerContent(open, revision, Optional.empty(), config.keeping().idempotency()));
    return new OperationResult(body.getBytes(StandardCharsets.UTF_8), revision, false);
  }

  /** The content of a stored answer, and its expiry. */
  private record StoredAnswerContent(
      Optional<String> body,
      Optional<Long> revision,
      Optional<Boolean> pending,
      Duration retention) {
    static StoredAnswerContent ofPending(Duration time) {
      return new StoredAnswerContent(Optional.empty(), Optional.empty(), Optional.of(true), time);
    }
  }

  private static Optional<IdempotencyRecord> storeAnswer(
      Transaction transaction, OperationInvocation<?, ?> invocation, StoredAnswerContent content) {
    OperationRequest request = invocation.request();
    Optional<IdempotencyRecord> answer =
        request
            .idempotencyKey()
            .map(
                key ->
                    new IdempotencyRecord(
                        IdempotencyRecord.idOf(invocation.caller(), key),
                        request.operation(),
                        IdempotencyRecord.requestHash(request),
                        content.body(),
                        content.revision(),
                        content.pending(),
                        transaction.now().plus(content.retention())));
    answer.ifPresent(one -> transaction.put(IdempotencyRecord.TABLE, one));
    return answer;
  }

  private static <I extends Record> void writeAuditEntry(
      Transaction transaction, OperationInvocation<I, ?> invocation) {
    Optional<Id> about =
        invocation
            .operation()
            .target()
            .map(target -> target.key().apply(invocation.input()))
            .or(() -> namedRecord(invocation.input()));
    transaction.insert(
        AuditEntry.TABLE,
        AuditEntry.of(transaction, invocation.caller(), invocation.operation().name(), about));
  }

  /** Returns the record of an operation that has no revision. */
  private static Optional<Id> namedRecord(Record input) {
    return switch (input) {
      case TrajectoryOperations.RecordIdRequest(var id) -> Optional.of(id);
      case RememberOperations.ForgetMemoriesRequest request -> request.id();
      default -> Optional.empty();
    };
  }

  /** The writing operations of one commit. */
  record CommitRequest(List<CommitStep> operations) {
    CommitRequest {
      operations = List.copyOf(operations);
    }
  }

  record CommitStep(String operation, JsonNode input) {}

  /** Their answers, in order. */
  record CommitResponse(long revision, List<Object> results) {}

  private Operation<CommitRequest, CommitResponse> commitOperation() {
    return Operation.<CommitRequest, CommitResponse>transactional(
            "commit",
            CommitRequest.class,
            (transaction, caller, input) -> {
              new Limit("server.limits.commit-operations", config.limits().commitOperations())
                  .requireWithin(input.operations().size());
              operationCounter.countAdditional(caller, Math.max(0, input.operations().size() - 1));
              List<Object> results = new ArrayList<>();
              for (int i = 0; i < input.operations().size(); i++) {
                results.add(runStep(transaction, caller, input.operations().get(i), i));
              }
              return new CommitResponse(transaction.revision(), results);
            })
        .forAgents(RequiredPermissions.NOTHING) // each step requires its own permissions
        .forSubjects();
  }

  private Object runStep(
      Transaction transaction, Caller caller, CommitStep commitStep, int position) {
    try {
      Operation<?, ?> operation = findListed(commitStep.operation());
      requireRight(caller, operation);
      return runStep(transaction, caller, operation, commitStep.input());
    } catch (CaliberException e) {
      String place = "/operations/%d/input".formatted(position);
      throw stepRefusalTrace(e)
          .map(trace -> ServerException.inPart(place, e, trace))
          .orElseGet(() -> ServerException.inPart(place, e));
    }
  }

  private <I extends Record, O> O runStep(
      Transaction transaction, Caller caller, Operation<I, O> operation, JsonNode input) {
    if (!(operation.work() instanceof TransactionalWork<I, O>(var operationChange))
        || operation.input() == CommitRequest.class) {
      throw ServerException.notTransactional(operation.name());
    }
    JsonNode bound = SubjectAccessCheck.bindSubject(operation, caller, input);
    OperationInvocation<I, O> invocation =
        OperationInvocation.of(operation, caller, OperationRequest.of(operation.name(), bound));
    gate.requireInCommit(transaction, invocation);
    try {
      requireUnchanged(transaction, transaction.now(), invocation);
      O made =
          operationChange.apply(
              subjects.admitTransaction(transaction, invocation), caller, invocation.input());
      writeAuditEntry(transaction, invocation);
      return made;
    } catch (CaliberException e) {
      throw ServerException.inPart("", e, () -> recordRefusal(invocation, e));
    }
  }
}
