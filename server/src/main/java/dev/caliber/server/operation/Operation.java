package dev.caliber.server.operation;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One thing that can be asked of a server.
 *
 * @param <I> what it is told
 * @param <O> what it answers
 */
public final class Operation<I extends Record, O> {
  private final String name;
  private final String summary;
  private final Right right;
  private final Class<I> input;
  private final Work<I, O> work;
  private final Optional<Target<I>> target;
  private final boolean confidential;
  private final Optional<Refusal<I>> refusal;
  private final boolean listed;
  private final Optional<Function<I, Needs>> needs;
  private final Optional<SubjectRule> subjects;

  private Operation(
      String name, String summary, Right right, Class<I> input, Work<I, O> work, Extras<I> extras) {
    this.name = name;
    this.summary = summary;
    this.right = right;
    this.input = input;
    this.work = work;
    this.target = extras.target();
    this.confidential = extras.confidential();
    this.refusal = extras.refusal();
    this.listed = extras.listed();
    this.needs = extras.needs();
    this.subjects = extras.subjects();
  }

  private record Extras<I>(
      Optional<Target<I>> target,
      boolean confidential,
      Optional<Refusal<I>> refusal,
      boolean listed,
      Optional<Function<I, Needs>> needs,
      Optional<SubjectRule> subjects) {
    static <I> Extras<I> none() {
      return new Extras<>(
          Optional.empty(), false, Optional.empty(), true, Optional.empty(), Optional.empty());
    }
  }

  private Extras<I> extras() {
    return new Extras<>(target, confidential, refusal, listed, needs, subjects);
  }

  private Operation<I, O> with(Extras<I> extras) {
    return new Operation<>(name, summary, right, input, work, extras);
  }

  /** How it is done. */
  sealed interface Work<I, O> {
    /** Changes nothing. */
    record Reading<I, O>(BiFunction<Caller, I, O> ask) implements Work<I, O> {}

    /** Part of a commit. */
    record Writing<I, O>(Change<I, O> change) implements Work<I, O> {}

    /** Several commits, or something slow before its commit; never part of another. */
    record Lasting<I, O>(BiFunction<Caller, I, O> run) implements Work<I, O> {}
  }

  /** What a writing operation does inside a commit. */
  public interface Change<I, O> {
    O apply(Transaction transaction, Caller caller, I input);

    /**
     * The same with what is slow done before its commit. Where it is a part of another's commit,
     * nothing is.
     */
    default Change<I, O> prepared(Caller caller, I input) {
      return this;
    }

    /** Whether that may cost something, so that what is refused or answered anyway goes first. */
    default boolean isCostly(I input) {
      return false;
    }
  }

  /** What is written down, in a commit of its own, of a change that was refused. */
  interface Refusal<I> {
    void record(Caller caller, I input, CaliberException refusal);
  }

  /** The one record that an operation is about: its revision is the ETag. */
  record Target<I>(Table<?> table, Function<I, Id> key) {}

  public static <I extends Record, O> Operation<I, O> reading(
      String name, String summary, Class<I> input, BiFunction<Caller, I, O> ask) {
    return new Operation<>(
        name, summary, Right.READ, input, new Work.Reading<>(ask), Extras.none());
  }

  public static <I extends Record, O> Operation<I, O> writing(
      String name, String summary, Class<I> input, Change<I, O> change) {
    return new Operation<>(
        name, summary, Right.WRITE, input, new Work.Writing<>(change), Extras.none());
  }

  public static <I extends Record, O> Operation<I, O> lasting(
      String name, String summary, Class<I> input, BiFunction<Caller, I, O> run) {
    return new Operation<>(
        name, summary, Right.WRITE, input, new Work.Lasting<>(run), Extras.none());
  }

  /** The same for those who have this right. */
  public Operation<I, O> needing(Right other) {
    return new Operation<>(name, summary, other, input, work, extras());
  }

  /** The same about one record, whose revision can be asked for and insisted on. */
  Operation<I, O> about(Table<?> table, Function<I, Id> key) {
    return with(
        new Extras<>(
            Optional.of(new Target<>(table, key)), confidential, refusal, listed, needs, subjects));
  }

  /** The same, but its answer is never kept: it holds a secret. */
  public Operation<I, O> confidential() {
    return with(new Extras<>(target, true, refusal, listed, needs, subjects));
  }

  /** The same, and a refusal of its change is written down. */
  Operation<I, O> whenRefused(Refusal<I> other) {
    return with(new Extras<>(target, confidential, Optional.of(other), listed, needs, subjects));
  }

  /** The same, whose room writes its refusals down itself. */
  Operation<I, O> tracedInside() {
    return whenRefused((_, _, _) -> {});
  }

  /** The same for agents as well, who are allowed what it needs; without this, for none. */
  public Operation<I, O> forAgents(Function<I, Needs> needed) {
    return with(new Extras<>(target, confidential, refusal, listed, Optional.of(needed), subjects));
  }

  /** The same where that does not depend on the input. */
  public Operation<I, O> forAgents(Needs needed) {
    return forAgents(_ -> needed);
  }

  /**
   * The same for callers that are limited to a subject as well; without this, for none of them. It
   * has to read records through the store alone, which hides those of other subjects.
   */
  public Operation<I, O> forSubjects(SubjectRule rule) {
    return with(new Extras<>(target, confidential, refusal, listed, needs, Optional.of(rule)));
  }

  /** This rule, where the input names no subject. */
  public Operation<I, O> forSubjects() {
    return forSubjects(SubjectRule.NONE);
  }

  /** How its input names subjects; empty where no caller that is limited to one may ask for it. */
  Optional<SubjectRule> subjects() {
    return subjects;
  }

  /** Whether a caller that is limited to a subject may ask for it. */
  public boolean isForSubjects() {
    return subjects.isPresent();
  }

  /** What an agent has to be allowed for it. */
  Needs needs(I wish) {
    return needs.map(needed -> needed.apply(wish)).orElseGet(() -> Needs.operator(name));
  }

  /**
   * The same as the work of one protocol: the contract has no word of it, and no commit takes it.
   */
  public Operation<I, O> unlisted() {
    return with(new Extras<>(target, confidential, refusal, false, needs, subjects));
  }

  /** In snake_case, unique. */
  public String name() {
    return name;
  }

  /** What it does, in a sentence. */
  public String summary() {
    return summary;
  }

  public Right right() {
    return right;
  }

  /** The record that its input is read as. */
  public Class<I> input() {
    return input;
  }

  /** Whether it can be part of a commit with others. */
  public boolean isTransactional() {
    return work instanceof Work.Writing;
  }

  public boolean isReading() {
    return work instanceof Work.Reading;
  }

  /**
   * Whether it can be insisted on a revision: only where that is looked at in the commit itself.
   */
  boolean hasPrecondition() {
    return target.isPresent() && isTransactional();
  }

  boolean isListed() {
    return listed;
  }

  boolean isConfidential() {
    return confidential;
  }

  Optional<Refusal<I>> refusal() {
    return refusal;
  }

  Work<I, O> work() {
    return work;
  }

  Optional<Target<I>> target() {
    return target;
  }
}
