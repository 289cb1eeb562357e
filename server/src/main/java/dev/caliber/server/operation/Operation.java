package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One operation of the server: its name in the {@link ApiContract}, its input type and its
 * function. An operation that the contract does not have is for one protocol only: it is neither in
 * commits nor in bulk requests.
 *
 * @param <I> the input
 * @param <O> the output
 * @param input the record type of the input
 * @param target the record whose revision is reported and can be a precondition
 * @param confidential whether the answer holds a secret and is not stored
 * @param refusal the recorder of refused changes
 * @param needs the permissions of an acting agent; without them agents are refused
 * @param subjectRule the rule by which the input names subjects; without one, callers that are
 *     limited to a subject are refused
 */
public record Operation<I extends Record, O>(
    String name,
    Class<I> input,
    OperationWork<I, O> work,
    Optional<OperationTarget<I>> target,
    boolean confidential,
    Optional<RefusalRecorder<I>> refusal,
    Optional<Function<I, RequiredPermissions>> needs,
    Optional<SubjectRule> subjectRule) {

  /** The implementation of an operation. */
  sealed interface OperationWork<I, O> {
    /** Work that changes nothing. */
    record ReadOnlyWork<I, O>(BiFunction<Caller, I, O> ask) implements OperationWork<I, O> {}

    /** Work that is part of a commit. */
    record TransactionalWork<I, O>(OperationChange<I, O> change) implements OperationWork<I, O> {}

    /** Work with its own commits or slow work before its commit; never part of another. */
    record LongRunningWork<I, O>(BiFunction<Caller, I, O> run) implements OperationWork<I, O> {}
  }

  /** The work of a writing operation inside a commit. */
  public interface OperationChange<I, O> {
    O apply(Transaction transaction, Caller caller, I input);

    /** Does slow work before the commit and returns the rest; not called in a larger commit. */
    default OperationChange<I, O> prepare(Caller caller, I input) {
      return this;
    }

    /**
     * Returns whether {@link #prepare} may be expensive, so that refusals and stored answers are
     * checked first.
     */
    default boolean isCostly(I input) {
      return false;
    }
  }

  /** The recorder of a refused change, in a commit of its own. */
  interface RefusalRecorder<I> {
    void recordRefusal(Caller caller, I input, CaliberException refusal);
  }

  /** The one record that an operation is about; its revision is the ETag. */
  record OperationTarget<I>(Table<?> table, Function<I, Id> key) {}

  public static <I extends Record, O> Operation<I, O> readOnly(
      String name, Class<I> input, BiFunction<Caller, I, O> ask) {
    return of(name, input, new OperationWork.ReadOnlyWork<>(ask));
  }

  public static <I extends Record, O> Operation<I, O> transactional(
      String name, Class<I> input, OperationChange<I, O> change) {
    return of(name, input, new OperationWork.TransactionalWork<>(change));
  }

  public static <I extends Record, O> Operation<I, O> longRunning(
      String name, Class<I> input, BiFunction<Caller, I, O> run) {
    return of(name, input, new OperationWork.LongRunningWork<>(run));
  }

  private static <I extends Record, O> Operation<I, O> of(
      String name, Class<I> input, OperationWork<I, O> work) {
    return new Operation<>(
        name,
        input,
        work,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns this operation about one record. */
  Operation<I, O> withTarget(Table<?> table, Function<I, Id> key) {
    var about = Optional.of(new OperationTarget<>(table, key));
    return new Operation<>(name, input, work, about, confidential, refusal, needs, subjectRule);
  }

  /** Returns this operation without storage of its answer. */
  public Operation<I, O> asConfidential() {
    return new Operation<>(name, input, work, target, true, refusal, needs, subjectRule);
  }

  Operation<I, O> withRefusalRecorder(RefusalRecorder<I> recorder) {
    var own = Optional.of(recorder);
    return new Operation<>(name, input, work, target, confidential, own, needs, subjectRule);
  }

  /** Returns this operation, whose module records refusals itself. */
  Operation<I, O> withOwnRefusalTrace() {
    return withRefusalRecorder((_, _, _) -> {});
  }

  /** Returns this operation for acting agents with these permissions. */
  public Operation<I, O> forAgents(Function<I, RequiredPermissions> needed) {
    var own = Optional.of(needed);
    return new Operation<>(name, input, work, target, confidential, refusal, own, subjectRule);
  }

  /** Returns this operation for acting agents with permissions that do not depend on the input. */
  public Operation<I, O> forAgents(RequiredPermissions needed) {
    return forAgents(_ -> needed);
  }

  /**
   * Returns this operation for callers that are limited to a subject. It has to read records
   * through the store only, which hides those of other subjects.
   */
  public Operation<I, O> forSubjects(SubjectRule rule) {
    var own = Optional.of(rule);
    return new Operation<>(name, input, work, target, confidential, refusal, needs, own);
  }

  /** Returns this operation for limited callers, where the input names no subject. */
  public Operation<I, O> forSubjects() {
    return forSubjects(SubjectRule.NONE);
  }

  /** Returns the permissions that an acting agent needs. */
  RequiredPermissions requiredPermissions(I request) {
    return needs
        .map(needed -> needed.apply(request))
        .orElseGet(() -> RequiredPermissions.forOperator(name));
  }

  /** The right that the contract states; without the contract, that of the kind of work. */
  public AccessRight right() {
    return ApiContract.instance()
        .right(name)
        .orElse(isReadOnly() ? AccessRight.READ : AccessRight.WRITE);
  }

  /** Returns whether it can be a step of a commit. */
  public boolean isTransactional() {
    return work instanceof OperationWork.TransactionalWork;
  }

  public boolean isReadOnly() {
    return work instanceof OperationWork.ReadOnlyWork;
  }

  /** Returns whether it accepts a revision as precondition, which its own commit has to check. */
  boolean hasPrecondition() {
    return target.isPresent() && isTransactional();
  }
}
