package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.Swept;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Injection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteSource;
import dev.caliber.memory.record.Notice;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ScopeCount;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.Searchable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What agents did and learned. Every change is a {@link Command}; each is one commit with its
 * trace, and can also be a part of a larger one.
 */
public interface Memory {

  /** Memory over a store that was opened with {@link #tables}. */
  static Memory of(RecordStore store, MemoryConfig config, MemoryParts parts) {
    RecordMemory memory = new RecordMemory(store, config, parts);
    return parts
        .access()
        .<Memory>map(policy -> new GuardedMemory(memory, policy, Optional.empty()))
        .orElse(memory);
  }

  /** The tables that memory needs. */
  static List<Table<?>> tables() {
    return List.of(
        Trajectory.TABLE,
        Scope.TABLE,
        ScopeCount.TABLE,
        PastSummary.TABLE,
        Turn.TABLE,
        ToolExchange.TABLE,
        Artifact.TABLE,
        Note.TABLE,
        PastNote.TABLE,
        NoteSource.TABLE,
        Checkpoint.TABLE,
        TraceEvent.TABLE,
        Notice.TABLE,
        Tombstone.TABLE,
        ForgetRequest.TABLE,
        PolicyRun.TABLE,
        Injection.TABLE,
        Walk.TABLE);
  }

  /** What a search index has to be opened with, so that recall can use it. */
  static List<Searchable<?>> searchables() {
    return Searchables.all();
  }

  /** The same memory for one who acts; with an access policy, nothing can be done without. */
  Memory as(String actor);

  /** Does it in a commit of its own, durable on return. */
  <R> R run(SpaceId space, Command<R> command);

  /** Does it as part of this commit. */
  <R> R run(Transaction transaction, Command<R> command);

  /**
   * Does before a commit what is slow, such as a model's summaries of what the command will close;
   * the answer does the command as part of a commit of that space.
   */
  <R> Function<Transaction, R> prepare(SpaceId space, Command<R> command);

  /** The same for a note. */
  Function<Transaction, Note> prepare(SpaceId space, Remember memory);

  /** Reads from one snapshot. */
  <T> T view(SpaceId space, Function<MemoryView, T> reading);

  /** Writes one note. */
  Note remember(SpaceId space, Remember memory);

  /** The same as part of this commit. */
  Note remember(Transaction transaction, Remember memory);

  /**
   * Appends turns to the session with this name, which is the newest trajectory with that external
   * id that has not ended; the first use starts one. What users state in them becomes notes, unless
   * {@code memory.notes.from-turns} is off.
   */
  Appended remember(SpaceId space, String session, List<NewTurn> turns);

  /** The same as part of this commit. */
  Appended remember(Transaction transaction, String session, List<NewTurn> turns);

  /** Searches notes, turns and live artifacts. */
  Recollection recall(SpaceId space, RecallQuery query);

  /** Forgets everything that the command means, in as many commits as that takes. */
  Forgotten forget(SpaceId space, Forget command);

  /** Lets these jobs go on with runs of policies, keep schedules and clean up. */
  void attach(Jobs jobs);

  /**
   * Makes the jobs that keep a space going: schedules of what is deployed, and clean-up. To be
   * called at the start and after each activation; again is harmless.
   */
  void arm(SpaceId space);

  /** Removes what has had its time, and ends what nobody works on, here and now. */
  Swept tend(SpaceId space);

  /** The turns behind the summary of a scope or trajectory, verbatim. */
  List<Turn> uncompact(SpaceId space, Id summarized);
}
