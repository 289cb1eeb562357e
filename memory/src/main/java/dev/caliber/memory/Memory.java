package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.recall.SearchableMemoryRecords;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.Searchable;
import java.util.List;
import java.util.function.Function;

/**
 * Memory of agents: what they did and learned. Every change is a {@link Command}; each runs in one
 * commit with its trace, or as part of a larger commit.
 */
public interface Memory {

  /** Opens memory over a store that was opened with {@link #tables}. */
  static Memory of(RecordStore store, MemoryConfig config, MemoryDependencies parts) {
    return new RecordStoreMemory(store, config, parts);
  }

  /** Returns the tables that memory needs. */
  static List<Table<?>> tables() {
    return MemoryView.TABLES;
  }

  /**
   * Returns the declarations that a search index must be opened with, so that recall can use it.
   */
  static List<Searchable<?>> searchableMemoryRecords() {
    return SearchableMemoryRecords.all();
  }

  /** Runs the command in a commit of its own, durable on return. */
  <R> R run(SpaceId space, Command<R> command);

  /** Runs the command as part of this commit. */
  <R> R run(Transaction transaction, Command<R> command);

  /**
   * Does the slow work of a command before its commit, such as model summaries of a scope to close;
   * the returned function runs the command as part of a commit of that space.
   */
  <R> Function<Transaction, R> prepareCommand(SpaceId space, Command<R> command);

  /** Prepares a note; see {@link #prepareCommand(SpaceId, Command)}. */
  Function<Transaction, Note> prepareCommand(SpaceId space, NewNote memory);

  /** Reads from one snapshot of a space. */
  <T> T view(SpaceId space, Function<MemoryView, T> reading);

  /** Writes one note. */
  Note remember(SpaceId space, NewNote memory);

  /** Writes as part of this commit. */
  Note remember(Transaction transaction, NewNote memory);

  /**
   * Appends turns to the session with this name, which is the newest trajectory with that external
   * id that has not ended; the first use starts one. What users state in them becomes notes, unless
   * {@code memory.notes.from-turns} is off.
   */
  AppendResult remember(SpaceId space, String session, List<NewTurn> turns);

  /** Writes as part of this commit. */
  AppendResult remember(Transaction transaction, String session, List<NewTurn> turns);

  /** Searches notes, turns and live artifacts. */
  RecallResult recall(SpaceId space, RecallQuery query);

  /** Forgets all records that the command covers, in several commits if needed. */
  ForgetResult forget(SpaceId space, ForgetRecords command);

  /**
   * Registers the handlers that finish what a commit leaves over: policy runs, expiries, subjects
   * and quotes. A short process runs these jobs itself after a commit of its own.
   */
  void registerFollowUpHandlers(Jobs jobs);

  /** Registers the handlers of follow-ups, and those that keep schedules and clean up. */
  void registerJobHandlers(Jobs jobs);

  /**
   * Schedules the jobs of a space: deployed schedules and clean-up. Call it at the start and after
   * each activation; repeated calls are harmless.
   */
  void scheduleJobs(SpaceId space);

  /** Removes expired records and ends orphans now, in the calling thread. */
  CleanupResult runMaintenance(SpaceId space);

  /** Returns the turns behind the summary of a scope or trajectory, verbatim. */
  List<Turn> summarizedTurns(SpaceId space, Id summarized);
}
