package dev.caliber.server.operation;

import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One operation of the server.
 *
 * @param <I> the input
 * @param <O> the output
 */
public final class Operation<I extends Record, O> {
  private final String name;
  private final String summary;
  private final AccessRight accessRight;
  private final Class<I> input;
  private final OperationWork<I, O> operationWork;
  private final Optional<OperationTarget<I>> target;
  private final boolean confidential;
  private final Optional<RefusalRecorder<I>> refusal;
  private final boolean listed;
  private final Optional<Function<I, RequiredPermissions>> needs;
  private final Optional<SubjectRule> subjects;

  private Operation(
      String name,
      String summary,
      AccessRight accessRight,
      Class<I> input,
      OperationWork<I, O> operationWork,
      OperationOptions<I> operationOptions) {
    this.name = name;
    this.summary = summary;
    this.accessRight = accessRight;
    this.input = input;
    this.operationWork = operationWork;
    this.target = operationOptions.target();
    this.confidential = operationOptions.confidential();
    this.refusal = operationOptions.refusal();
    this.listed = operationOptions.listed();
    this.needs = operationOptions.needs();
    this.subjects = operationOptions.subjects();
  }

  private record OperationOptions<I>(
      Optional<OperationTarget<I>> target,
      boolean confidential,
      Optional<RefusalRecorder<I>> refusal,
      boolean listed,
      Optional<Function<I, RequiredPermissions>> needs,
      Optional<SubjectRule> subjects) {
    static <I> OperationOptions<I> defaults() {
      return new OperationOptions<>(
          Optional.empty(), false, Optional.empty(), true, Optional.empty(), Optional.empty());
    }
  }

  private OperationOptions<I> options() {
    return new OperationOptions<>(target, confidential, refusal, listed, needs, subjects);
  }

  private Operation<I, O> withOptions(OperationOptions<I> operationOptions) {
    return new Operation<>(name, summary, accessRight, input, operationWork, operationOptions);
  }

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
      String name, String summary, Class<I> input, BiFunction<Caller, I, O> ask) {
    return new Operation<>(
        name,
        summary,
        AccessRight.READ,
        input,
        new OperationWork.ReadOnlyWork<>(ask),
        OperationOptions.defaults());
  }

  public static <I extends Record, O> Operation<I, O> transactional(
      String name, String summary, Class<I> input, OperationChange<I, O> operationChange) {
    return new Operation<>(
        name,
        summary,
        AccessRight.WRITE,
        input,
        new OperationWork.TransactionalWork<>(operationChange),
        OperationOptions.defaults());
  }

  public static <I extends Record, O> Operation<I, O> longRunning(
      String name, String summary, Class<I> input, BiFunction<Caller, I, O> run) {
    return new Operation<>(
        name,
        summary,
        AccessRight.WRITE,
        input,
        new OperationWork.LongRunningWork<>(run),
        OperationOptions.defaults());
  }

  /** Returns this operation with another required right. */
  public Operation<I, O> withRight(AccessRight other) {
    return new Operation<>(name, summary, other, input, operationWork, options());
  }

  /**
   * Returns this operation for one record, whose revision is reported and can be a precondition.
   */
  Operation<I, O> withTarget(Table<?> table, Function<I, Id> key) {
    return withOptions(
        new OperationOptions<>(
            Optional.of(new OperationTarget<>(table, key)),
            confidential,
            refusal,
            listed,
            needs,
            subjects));
  }

  /** Returns this operation without storage of its answer, which holds a secret. */
  public Operation<I, O> asConfidential() {
    return withOptions(new OperationOptions<>(target, true, refusal, listed, needs, subjects));
  }

  /** Returns this operation with a recorder for refusals of its change. */
  Operation<I, O> withRefusalRecorder(RefusalRecorder<I> other) {
    return withOptions(
        new OperationOptions<>(target, confidential, Optional.of(other), listed, needs, subjects));
  }

  /** Returns this operation, whose module records refusals itself. */
  Operation<I, O> withOwnRefusalTrace() {
    return withRefusalRecorder((_, _, _) -> {});
  }

  /**
   * Returns this operation for acting agents with these permissions; otherwise agents are refused.
   */
  public Operation<I, O> forAgents(Function<I, RequiredPermissions> needed) {
    return withOptions(
        new OperationOptions<>(
            target, confidential, refusal, listed, Optional.of(needed), subjects));
  }

  /** Returns this operation for acting agents with permissions that do not depend on the input. */
  public Operation<I, O> forAgents(RequiredPermissions needed) {
    return forAgents(_ -> needed);
  }

  /**
   * Returns this operation for callers that are limited to a subject; otherwise they are refused.
   * It has to read records through the store only, which hides those of other subjects.
   */
  public Operation<I, O> forSubjects(SubjectRule rule) {
    return withOptions(
        new OperationOptions<>(target, confidential, refusal, listed, needs, Optional.of(rule)));
  }

  /** Returns this operation for limited callers, where the input names no subject. */
  public Operation<I, O> forSubjects() {
    return forSubjects(SubjectRule.NONE);
  }

  /**
   * The rule by which the input names subjects; empty if callers limited to a subject are refused.
   */
  Optional<SubjectRule> subjectRule() {
    return subjects;
  }

  /** Returns whether a caller that is limited to a subject may run it. */
  public boolean isAllowedForSubjects() {
    return subjects.isPresent();
  }

  /** Returns the permissions that an acting agent needs. */
  RequiredPermissions requiredPermissions(I request) {
    return needs
        .map(needed -> needed.apply(request))
        .orElseGet(() -> RequiredPermissions.forOperator(name));
  }

  /** Returns this operation for one protocol only: neither in the contract nor in commits. */
  public Operation<I, O> asUnlisted() {
    return withOptions(
        new OperationOptions<>(target, confidential, refusal, false, needs, subjects));
  }

  /** The unique name, in snake_case. */
  public String name() {
    return name;
  }

  /** The description, in one sentence. */
  public String summary() {
    return summary;
  }

  public AccessRight right() {
    return accessRight;
  }

  /** The record type of the input. */
  public Class<I> input() {
    return input;
  }

  /** Returns whether it can be a step of a commit. */
  public boolean isTransactional() {
    return operationWork instanceof OperationWork.TransactionalWork;
  }

  public boolean isReadOnly() {
    return operationWork instanceof OperationWork.ReadOnlyWork;
  }

  /** Returns whether it accepts a revision as precondition, which its own commit has to check. */
  boolean hasPrecondition() {
    return target.isPresent() && isTransactional();
  }

  boolean isListed() {
    return listed;
  }

  boolean isConfidential() {
    return confidential;
  }

  Optional<RefusalRecorder<I>> refusalRecorder() {
    return refusal;
  }

  OperationWork<I, O> work() {
    return operationWork;
  }

  Optional<OperationTarget<I>> target() {
    return target;
  }
}
