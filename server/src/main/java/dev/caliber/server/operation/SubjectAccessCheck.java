package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.server.operation.Operation.OperationTarget;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A check that limits a caller with a subject to its own records, in the commit that changes them.
 * It reads the records of every subject: a session name of another subject is taken, although the
 * caller does not see that session.
 */
record SubjectAccessCheck(ServerModules modules) {
  private static final String EXTERNAL_ID = "external_id";

  /** Returns the input with the subject that the caller is limited to, if any. */
  static JsonNode bindSubject(Operation<?, ?> operation, Caller caller, JsonNode input) {
    return caller.subject().isEmpty()
        ? input
        : requireRule(operation).bindSubject(input, caller.subject().get());
  }

  private static SubjectRule requireRule(Operation<?, ?> operation) {
    return operation
        .subjectRule()
        .orElseThrow(() -> ServerException.notForSubjects(operation.name()));
  }

  /**
   * Returns the transaction for the operation. A turn in a group refers to turns of other subjects
   * and is therefore written with the records of every subject; the answer holds only new records.
   */
  <I extends Record> Transaction admitTransaction(
      Transaction transaction, OperationInvocation<I, ?> invocation) {
    Operation<I, ?> operation = invocation.operation();
    Caller caller = invocation.caller();
    if (caller.subject().isEmpty() || operation.right() == AccessRight.READ) {
      return transaction;
    }
    Transaction all = SubjectScopedStore.unfiltered(transaction);
    operation
        .target()
        .ifPresent(operationTarget -> requireOwnTarget(all, operationTarget, invocation.input()));
    SubjectRule rule = requireRule(operation);
    if (!rule.read().isEmpty()) {
      return transaction; // its input names the subjects that it reads
    }
    WriteTargets writeTargets =
        new WriteTargets(
            MemoryView.of(all, modules.memoryConfig()), all, caller.subjectScope(), rule);
    return writeTargets.findGroup(invocation.request().input()).isPresent() ? all : transaction;
  }

  /** Refuses a caller with a subject that changes a record of the whole space. */
  private static <I extends Record> void requireOwnTarget(
      Snapshot all, OperationTarget<I> operationTarget, I read) {
    Id key = operationTarget.key().apply(read);
    all.find(operationTarget.table(), key)
        .filter(RecordVisibilityRules::isShared)
        .ifPresent(
            _ -> {
              throw ServerException.sharedRecord(operationTarget.table().name(), key.toString());
            });
  }

  /**
   * The records that an operation writes to: the session, trajectory and scope in its input.
   *
   * @param all records of every subject
   */
  private record WriteTargets(
      MemoryView view, Snapshot all, ReadableSubjects scope, SubjectRule rule) {
    /** Returns the group that the input names, if any; refuses targets of other subjects. */
    Optional<Id> findGroup(JsonNode input) {
      Optional<Id> session = findSessionGroup(input.path("session").asString(""));
      Optional<Id> trajectory = readId(input, "trajectory").flatMap(this::findTrajectoryGroup);
      Optional<Id> scoped =
          readId(input, "scope")
              .flatMap(id -> all.find(Scope.TABLE, id))
              .flatMap(found -> findTrajectoryGroup(found.trajectory()));
      Optional<Id> group = session.or(() -> trajectory).or(() -> scoped);
      group.ifPresent(
          id ->
              input.path("turns").forEach(turn -> requireFreeTurnName(id, turn.path(EXTERNAL_ID))));
      return group;
    }

    private static Optional<Id> readId(JsonNode input, String name) {
      return input.path(name).stringValueOpt().map(Id::parse);
    }

    /** Refuses the external id of another subject's turn, which would be returned as the answer. */
    private void requireFreeTurnName(Id group, JsonNode name) {
      name.stringValueOpt()
          .flatMap(external -> view.turn(group, external))
          .filter(turn -> !scope.includes(turn.labels()))
          .ifPresent(
              _ -> {
                throw ServerException.turnNameTaken(name.asString());
              });
    }

    /**
     * Returns the group to which a turn in the session of this name would be added, now or later.
     */
    private Optional<Id> findSessionGroup(String name) {
      if (name.isEmpty() || rule.written().isEmpty()) {
        return Optional.empty();
      }
      List<Trajectory> known = view.trajectoriesByExternalId(name);
      known.stream()
          .filter(one -> !isWritable(one))
          .findFirst()
          .ifPresent(
              _ -> {
                throw ServerException.sessionTaken(name);
              });
      return known.stream().filter(Trajectory::isGroup).map(Trajectory::id).findFirst();
    }

    private boolean isWritable(Trajectory known) {
      if (known.isGroup()) {
        return rule.continuesSession() && !known.status().isTerminal();
      }
      return scope.includes(known.labels())
          && (known.labels().subject().isPresent()
              || (rule.continuesSession() && isTrajectoryEmpty(known.id())));
    }

    /**
     * Returns the trajectory's group; a trajectory that the caller does not see is left for the
     * operation to refuse as unknown.
     */
    private Optional<Id> findTrajectoryGroup(Id id) {
      Optional<Trajectory> shared =
          all.find(Trajectory.TABLE, id).filter(found -> found.labels().subject().isEmpty());
      shared
          .filter(found -> !rule.continuesSession() || (!found.isGroup() && !isTrajectoryEmpty(id)))
          .ifPresent(
              _ -> {
                throw ServerException.sharedRecord(Trajectory.TABLE.name(), id.toString());
              });
      return shared.filter(Trajectory::isGroup).map(Trajectory::id);
    }

    private boolean isTrajectoryEmpty(Id trajectory) {
      return view.trajectory(trajectory).counters().turns() == 0
          && all.first(Query.over(Artifact.TABLE, "trajectory", "created_at").equal(trajectory))
              .isEmpty()
          && all.first(Query.over(Trajectory.TABLE, "parent").equal(trajectory)).isEmpty();
    }
  }

  /**
   * Records in the audit log, before a read, which named subjects a call reads. Only operators may
   * name all subjects.
   */
  void auditNamedSubjects(Caller caller, OperationRequest operationRequest) {
    List<String> subjects = SubjectPropertyReader.listedSubjects(operationRequest.input());
    if (subjects.isEmpty()) {
      return;
    }
    if (subjects.contains(SubjectPropertyReader.EVERY)
        && !caller.right().covers(AccessRight.ADMIN)) {
      throw ServerException.rightMissing(
          operationRequest.operation() + " with subjects *", AccessRight.ADMIN);
    }
    MemoryConfig.MemoryLimits memoryLimits = modules.memoryConfig().limits();
    new Limit("memory.limits.page-size", memoryLimits.pageSize())
        .requireWithin("subjects", subjects.size());
    Limit text = new Limit("memory.limits.text", memoryLimits.text().bytes());
    subjects.forEach(subject -> text.requireWithin("subjects", TextChecks.utf8Length(subject)));
    modules
        .store()
        .write(
            caller.space(),
            transaction -> {
              AuditEntry entry =
                  AuditEntry.of(transaction, caller, operationRequest.operation(), Optional.empty())
                      .withSubjects(subjects);
              transaction.insert(AuditEntry.TABLE, entry);
              return entry;
            });
  }
}
