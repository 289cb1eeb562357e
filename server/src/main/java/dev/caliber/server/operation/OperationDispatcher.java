package dev.caliber.server.operation;

import dev.caliber.agents.AgentsErrorCode;
import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.ForgetListener;
import dev.caliber.server.operation.Operation.OperationChange;
import dev.caliber.server.operation.Operation.OperationTarget;
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

  private final ServerModules serverModules;
  private final ServerConfig config;
  private final OperationCounter operationCounter;
  private final ActingAgentCheck gate;
  private final SubjectAccess subjects;
  private final Map<String, Operation<?, ?>> catalogue = new LinkedHashMap<>();
  private final Map<AgentsErrorCode, LongAdder> refusals = new ConcurrentHashMap<>();

  private OperationDispatcher(
      ServerModules serverModules,
      ServerConfig config,
      List<Operation<?, ?>> others,
      OperationCounter operationCounter) {
    this.serverModules = serverModules;
    this.config = config;
    this.operationCounter = operationCounter;
    this.gate = new ActingAgentCheck(serverModules.agents());
    this.subjects = new SubjectAccess(serverModules);
    Stream.of(
            RememberOperations.operations(serverModules, config.limits()),
            TrajectoryOperations.operations(serverModules, config.limits()),
            NoteOperations.operations(serverModules, config.limits()),
            ContextOperations.operations(serverModules, config.limits()),
            DeploymentOperations.operations(serverModules, config.limits()),
            SpaceOperations.operations(serverModules),
            ContextIntegrityOperations.operations(serverModules, config.limits()),
            AgentOperations.operations(serverModules, config.limits()),
            LeaseOperations.operations(serverModules, config.limits()),
            MailOperations.operations(serverModules, config.limits()),
            DelegationOperations.operations(serverModules, config.limits()),
            ConflictOperations.operations(serverModules, config.limits()),
            OverviewOperations.operations(serverModules, config.limits()),
            List.of(commitOperation()),
            others)
        .flatMap(List::stream)
        .forEach(operation -> catalogue.put(operation.name(), operation));
  }

  /** Uses a store that was opened with {@link #tables}, and adds operations of other modules. */
  public static OperationDispatcher of(
      ServerModules serverModules, ServerConfig config, List<Operation<?, ?>> others) {
    return of(serverModules, config, others, (_, _) -> {});
  }

  /** Reports the steps of multi-operation requests to the counter. */
  public static OperationDispatcher of(
      ServerModules serverModules,
      ServerConfig config,
      List<Operation<?, ?>> others,
      OperationCounter operationCounter) {
    return new OperationDispatcher(serverModules, config, others, operationCounter);
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

  /** Returns an operation of the contract; operations of one protocol only are not found. */
  public Operation<?, ?> findListed(String name) {
    Operation<?, ?> found = find(name);
    if (!found.isListed()) {
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
    JsonNode input = SubjectAccess.bindSubject(operation, caller, operationRequest.input());
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
      Operation<I, O> operation, Caller caller, OperationRequest operationRequest) {
    I input =
        InputReader.readInput(
            FenceParameter.removeFrom(operationRequest.input()), operation.input());
    if (operationRequest.ifMatch().isPresent() && !operation.hasPrecondition()) {
      throw ServerException.preconditionUnsupported(operation.name());
    }
    if (operation.isReadOnly()) {
      FenceParameter.requireAbsent(operation, operationRequest.input());
    }
    gate.requirePermission(
        new ActingAgentCheck.PermissionRequest<>(
            operation, caller, input, operationRequest.input()));
    subjects.auditNamedSubjects(caller, operationRequest);
    return switch (operation.work()) {
      case ReadOnlyWork<I, O>(var ask) -> {
        /*
         * Reads the revision first: if the record changes in between, a later If-Match fails
         * instead of overwriting it.
         */
        Optional<Long> revision = targetRevision(caller, operation, input);
        yield new OperationResult(Json.bytes(ask.apply(caller, input)), revision, false);
      }
      case TransactionalWork<I, O>(var operationChange) -> {
        Optional<FenceParameter> fence = FenceParameter.of(operationRequest.input());
        OperationInvocation<I, O> operationInvocation =
            new OperationInvocation<>(operation, caller, input);
        try {
          Optional<OperationResult> storedResult =
              operationChange.isCostly(input)
                  ? checkBeforeSlowWork(operationInvocation, operationRequest, fence)
                  : Optional.empty();
          yield storedResult.orElseGet(
              () ->
                  runTransactional(
                      operationInvocation,
                      operationRequest,
                      fence,
                      operationChange.prepare(caller, input)));
        } catch (CaliberException refusal) {
          stepRefusalTrace(refusal)
              .orElse(() -> recordRefusal(operationInvocation, fence, refusal))
              .run();
          throw refusal;
        }
      }
      case LongRunningWork<I, O>(var work) ->
          runLongRunning(
              new OperationInvocation<>(operation, caller, input),
              operationRequest,
              () -> work.apply(caller, input));
    };
  }

  private <I extends Record, O> OperationResult runTransactional(
      OperationInvocation<I, O> operationInvocation,
      OperationRequest operationRequest,
      Optional<FenceParameter> fence,
      OperationChange<I, O> ready) {
    Caller caller = operationInvocation.caller();
    I input = operationInvocation.input();
    ActingAgentCheck.PermissionRequest<I> permissionRequest =
        operationInvocation.permissionRequest(operationRequest);
    return serverModules
        .store()
        .write(
            caller.space(),
            transaction ->
                findStoredAnswer(transaction, transaction.now(), caller, operationRequest)
                    .orElseGet(
                        () -> {
                          gate.recheckInCommit(transaction, permissionRequest);
                          fence.ifPresent(one -> one.checkFence(transaction));
                          checkPrecondition(
                              transaction,
                              operationInvocation.operation(),
                              operationRequest,
                              input);
                          Transaction own =
                              subjects.admitTransaction(
                                  transaction,
                                  operationInvocation.operation(),
                                  caller,
                                  input,
                                  operationRequest.input());
                          O made = ready.apply(own, caller, input);
                          writeAuditEntry(transaction, operationInvocation);
                          return recordAnswer(
                              transaction,
                              new CompletedOperation<>(
                                  operationInvocation.operation(), input, made),
                              caller,
                              operationRequest);
                        }));
  }

  /** Returns the stored answer, if any, and refuses early what the commit would refuse. */
  private <I extends Record> Optional<OperationResult> checkBeforeSlowWork(
      OperationInvocation<I, ?> operationInvocation,
      OperationRequest operationRequest,
      Optional<FenceParameter> fence) {
    if (operationRequest.idempotencyKey().isEmpty()
        && operationRequest.ifMatch().isEmpty()
        && fence.isEmpty()) {
      return Optional.empty();
    }
    Instant now = serverModules.clock().instant();
    return serverModules
        .store()
        .read(
            operationInvocation.caller().space(),
            snapshot -> {
              Optional<OperationResult> storedResult =
                  findStoredAnswer(snapshot, now, operationInvocation.caller(), operationRequest);
              if (storedResult.isEmpty()) {
                fence.ifPresent(one -> one.checkFence(snapshot, now));
                checkPrecondition(
                    snapshot,
                    operationInvocation.operation(),
                    operationRequest,
                    operationInvocation.input());
              }
              return storedResult;
            });
  }

  /** An operation with its caller and input. */
  private record OperationInvocation<I extends Record, O>(
      Operation<I, O> operation, Caller caller, I input) {
    ActingAgentCheck.PermissionRequest<I> permissionRequest(OperationRequest operationRequest) {
      return new ActingAgentCheck.PermissionRequest<>(
          operation, caller, input, operationRequest.input());
    }
  }

  /** Records a refusal: a conflict if the fence was lost, else the trace of the refusal itself. */
  private <I extends Record> void recordRefusal(
      OperationInvocation<I, ?> operationInvocation,
      Optional<FenceParameter> fence,
      CaliberException refusal) {
    Optional<Operation.RefusalRecorder<I>> own = operationInvocation.operation().refusalRecorder();
    if (fence.isEmpty()
        || !fence
            .get()
            .recordRefusal(
                serverModules.agents(), operationInvocation.caller(), refusal, own.isEmpty())) {
      own.ifPresent(
          one ->
              one.recordRefusal(
                  operationInvocation.caller(), operationInvocation.input(), refusal));
    }
  }

  private static Optional<Runnable> stepRefusalTrace(CaliberException refusal) {
    return refusal instanceof ServerException known ? known.refusalTrace() : Optional.empty();
  }

  /** Checks the fence at the start and in each commit. */
  private <I extends Record, O> OperationResult runLongRunning(
      OperationInvocation<I, O> operationInvocation,
      OperationRequest operationRequest,
      Supplier<O> work) {
    Optional<FenceParameter> fence = FenceParameter.of(operationRequest.input());
    if (fence.isEmpty()) {
      return runLongRunning(operationInvocation, operationRequest, fence, work);
    }
    Supplier<O> fenced = () -> fence.get().runFenced(operationInvocation.caller().space(), work);
    return runLongRunning(
        operationInvocation,
        operationRequest,
        fence,
        () ->
            recordingRefusal(
                operationInvocation,
                fence,
                operationInvocation.operation().refusalRecorder().isEmpty(),
                fenced));
  }

  /** Records a refusal by the fence, and others unless their module does. */
  private <T> T recordingRefusal(
      OperationInvocation<?, ?> operationInvocation,
      Optional<FenceParameter> fence,
      boolean alone,
      Supplier<T> work) {
    try {
      return work.get();
    } catch (CaliberException refusal) {
      stepRefusalTrace(refusal)
          .ifPresentOrElse(
              Runnable::run,
              () ->
                  fence.ifPresent(
                      one ->
                          one.recordRefusal(
                              serverModules.agents(),
                              operationInvocation.caller(),
                              refusal,
                              alone)));
      throw refusal;
    }
  }

  /**
   * Runs work with commits of its own: the start is recorded before it, the answer after it. A
   * read-only call without an idempotency key leaves no trace.
   */
  private <I extends Record, O> OperationResult runLongRunning(
      OperationInvocation<I, O> operationInvocation,
      OperationRequest operationRequest,
      Optional<FenceParameter> fence,
      Supplier<O> work) {
    if (operationInvocation.operation().right() == AccessRight.READ
        && operationRequest.idempotencyKey().isEmpty()
        && fence.isEmpty()) {
      return new OperationResult(Json.bytes(work.get()), Optional.empty(), false);
    }
    Caller caller = operationInvocation.caller();
    LongRunningStart longRunningStart =
        recordingRefusal(
            operationInvocation,
            fence,
            true,
            () ->
                serverModules
                    .store()
                    .write(
                        caller.space(),
                        transaction ->
                            beginLongRunning(
                                transaction, operationInvocation, operationRequest, fence)));
    if (longRunningStart.storedAnswer().isPresent()) {
      return longRunningStart.storedAnswer().get();
    }
    CompletedOperation<I, O> completedOperation =
        new CompletedOperation<>(
            operationInvocation.operation(),
            operationInvocation.input(),
            runOrRelease(work, caller, longRunningStart));
    return serverModules
        .store()
        .write(
            caller.space(),
            transaction -> recordAnswer(transaction, completedOperation, caller, operationRequest));
  }

  /**
   * Runs the work and releases the key if it fails, so that a retry is possible. If only the
   * recording of the answer fails later, the key stays pending until it expires, because the work
   * is done.
   */
  private <O> O runOrRelease(Supplier<O> work, Caller caller, LongRunningStart longRunningStart) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      longRunningStart.pending().ifPresent(mine -> releasePending(caller, mine, e));
      throw e;
    }
  }

  /** The stored answer; or, with a key, the pending record that blocks a second run. */
  private record LongRunningStart(
      Optional<OperationResult> storedAnswer, Optional<IdempotencyRecord> pending) {}

  /** A completed operation, to be recorded. */
  private record CompletedOperation<I extends Record, O>(
      Operation<I, O> operation, I input, O output) {}

  /** Marks the request as pending, so that no other call runs it, unless it is answered already. */
  private <I extends Record> LongRunningStart beginLongRunning(
      Transaction transaction,
      OperationInvocation<I, ?> operationInvocation,
      OperationRequest operationRequest,
      Optional<FenceParameter> fence) {
    Optional<OperationResult> storedResult =
        findStoredAnswer(
            transaction, transaction.now(), operationInvocation.caller(), operationRequest);
    if (storedResult.isPresent()) {
      return new LongRunningStart(storedResult, Optional.empty());
    }
    gate.recheckInCommit(transaction, operationInvocation.permissionRequest(operationRequest));
    fence.ifPresent(one -> one.checkFence(transaction));
    subjects.admitTransaction(
        transaction,
        operationInvocation.operation(),
        operationInvocation.caller(),
        operationInvocation.input(),
        operationRequest.input());
    writeAuditEntry(transaction, operationInvocation);
    return new LongRunningStart(
        storedResult,
        storeAnswer(
            transaction,
            operationInvocation.caller(),
            operationRequest,
            StoredAnswerContent.ofPending(config.keeping().pendingTimeout())));
  }

  /** Deletes the pending record, unless another request has replaced it after it expired. */
  private void releasePending(Caller caller, IdempotencyRecord mine, RuntimeException reason) {
    try {
      serverModules
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
      Snapshot snapshot, Instant now, Caller caller, OperationRequest operationRequest) {
    return operationRequest
        .idempotencyKey()
        .flatMap(key -> snapshot.find(IdempotencyRecord.TABLE, IdempotencyRecord.idOf(caller, key)))
        .filter(answer -> now.isBefore(answer.expiresAt()))
        .map(answer -> replayAnswer(answer, operationRequest, now));
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

  private static <I extends Record> void checkPrecondition(
      Snapshot snapshot, Operation<I, ?> operation, OperationRequest operationRequest, I input) {
    if (operationRequest.ifMatch().isPresent()) {
      long wanted = operationRequest.ifMatch().get();
      long found =
          operation
              .target()
              .flatMap(operationTarget -> targetRevision(snapshot, operationTarget, input))
              .orElse(NOTHING);
      if (wanted != found) {
        throw ServerException.preconditionFailed(wanted, found);
      }
    }
  }

  private <I extends Record> Optional<Long> targetRevision(
      Caller caller, Operation<I, ?> operation, I input) {
    return operation
        .target()
        .flatMap(
            operationTarget ->
                serverModules
                    .store()
                    .read(
                        caller.space(),
                        snapshot -> targetRevision(snapshot, operationTarget, input)));
  }

  private static <I extends Record> Optional<Long> targetRevision(
      Snapshot snapshot, OperationTarget<I> operationTarget, I input) {
    return snapshot
        .row(operationTarget.table(), operationTarget.key().apply(input))
        .map(Row::revision);
  }

  private <I extends Record, O> OperationResult recordAnswer(
      Transaction transaction,
      CompletedOperation<I, O> completedOperation,
      Caller caller,
      OperationRequest operationRequest) {
    String body = Json.text(completedOperation.output());
    Optional<Long> revision =
        completedOperation
            .operation()
            .target()
            .flatMap(
                operationTarget ->
                    targetRevision(transaction, operationTarget, completedOperation.input()));
    Optional<String> open =
        Optional.of(body).filter(_ -> !completedOperation.operation().isConfidential());
    storeAnswer(
        transaction,
        caller,
        operationRequest,
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
      Transaction transaction,
      Caller caller,
      OperationRequest operationRequest,
      StoredAnswerContent storedAnswerContent) {
    Optional<IdempotencyRecord> answer =
        operationRequest
            .idempotencyKey()
            .map(
                key ->
                    new IdempotencyRecord(
                        IdempotencyRecord.idOf(caller, key),
                        operationRequest.operation(),
                        IdempotencyRecord.requestHash(operationRequest),
                        storedAnswerContent.body(),
                        storedAnswerContent.revision(),
                        storedAnswerContent.pending(),
                        transaction.now().plus(storedAnswerContent.retention())));
    answer.ifPresent(one -> transaction.put(IdempotencyRecord.TABLE, one));
    return answer;
  }

  private static <I extends Record> void writeAuditEntry(
      Transaction transaction, OperationInvocation<I, ?> operationInvocation) {
    Caller caller = operationInvocation.caller();
    Operation<I, ?> operation = operationInvocation.operation();
    transaction.insert(
        AuditEntry.TABLE,
        AuditEntry.of(
            transaction,
            caller,
            operation.name(),
            operation
                .target()
                .map(operationTarget -> operationTarget.key().apply(operationInvocation.input()))
                .or(() -> namedRecord(operationInvocation.input()))));
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
            "Runs several writing operations as one transaction: all of them, or none.",
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
    JsonNode bound = SubjectAccess.bindSubject(operation, caller, input);
    I read = InputReader.readInput(FenceParameter.removeFrom(bound), operation.input());
    gate.requireInCommit(
        transaction, new ActingAgentCheck.PermissionRequest<>(operation, caller, read, input));
    OperationInvocation<I, O> operationInvocation =
        new OperationInvocation<>(operation, caller, read);
    Optional<FenceParameter> fence = FenceParameter.of(input);
    try {
      fence.ifPresent(one -> one.checkFence(transaction));
      O made =
          operationChange.apply(
              subjects.admitTransaction(transaction, operation, caller, read, bound), caller, read);
      writeAuditEntry(transaction, operationInvocation);
      return made;
    } catch (CaliberException e) {
      throw ServerException.inPart("", e, () -> recordRefusal(operationInvocation, fence, e));
    }
  }
}
