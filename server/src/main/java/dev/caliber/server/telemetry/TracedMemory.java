package dev.caliber.server.telemetry;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import io.opentelemetry.api.trace.Span;
import java.util.List;
import java.util.function.Function;

/** A memory that records a span for each change and search, also within larger commits. */
record TracedMemory(Memory memory, SpanRecorder spans) implements Memory {
  private static final String RECORD = "gen_ai.memory.record.id";
  private static final String COMMAND = "caliber.command";

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return spans.runInSpan(
        operationName(command), space, span -> nameCommand(span, command).run(space, command));
  }

  private Memory nameCommand(Span span, Command<?> command) {
    span.setAttribute(COMMAND, command.getClass().getSimpleName());
    return memory;
  }

  private static String operationName(Command<?> command) {
    return command instanceof ForgetRecords ? SpanRecorder.DELETE : SpanRecorder.UPDATE;
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return spans.runInSpan(
        operationName(command),
        transaction.space(),
        span -> nameCommand(span, command).run(transaction, command));
  }

  @Override
  public <R> Function<Transaction, R> prepareCommand(SpaceId space, Command<R> command) {
    Function<Transaction, R> ready = memory.prepareCommand(space, command);
    return transaction ->
        spans.runInSpan(
            operationName(command),
            transaction.space(),
            span -> {
              span.setAttribute(COMMAND, command.getClass().getSimpleName());
              return ready.apply(transaction);
            });
  }

  @Override
  public Function<Transaction, Note> prepareCommand(SpaceId space, NewNote remembered) {
    Function<Transaction, Note> ready = memory.prepareCommand(space, remembered);
    return transaction ->
        spans.runInSpan(
            SpanRecorder.UPDATE,
            transaction.space(),
            span -> recordNote(span, ready.apply(transaction)));
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return memory.view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, NewNote remembered) {
    return spans.runInSpan(
        SpanRecorder.UPDATE, space, span -> recordNote(span, memory.remember(space, remembered)));
  }

  private static Note recordNote(Span span, Note note) {
    span.setAttribute(RECORD, note.id().toString());
    return note;
  }

  @Override
  public Note remember(Transaction transaction, NewNote remembered) {
    return spans.runInSpan(
        SpanRecorder.UPDATE,
        transaction.space(),
        span -> recordNote(span, memory.remember(transaction, remembered)));
  }

  @Override
  public AppendResult remember(SpaceId space, String session, List<NewTurn> turns) {
    return spans.runInSpan(SpanRecorder.UPDATE, space, _ -> memory.remember(space, session, turns));
  }

  @Override
  public AppendResult remember(Transaction transaction, String session, List<NewTurn> turns) {
    return spans.runInSpan(
        SpanRecorder.UPDATE,
        transaction.space(),
        _ -> memory.remember(transaction, session, turns));
  }

  @Override
  public RecallResult recall(SpaceId space, RecallQuery query) {
    return spans.runInSpan(
        SpanRecorder.SEARCH,
        space,
        span -> {
          spans.recordQuery(span, query.text());
          RecallResult found = memory.recall(space, query);
          span.setAttribute("gen_ai.memory.record.count", found.hits().size());
          return found;
        });
  }

  @Override
  public ForgetResult forget(SpaceId space, ForgetRecords command) {
    return spans.runInSpan(
        SpanRecorder.DELETE,
        space,
        span -> {
          command.id().ifPresent(id -> span.setAttribute(RECORD, id.toString()));
          ForgetResult forgotten = memory.forget(space, command);
          span.setAttribute("gen_ai.memory.record.count", forgotten.records().size());
          return forgotten;
        });
  }

  @Override
  public void registerFollowUpHandlers(Jobs jobs) {
    memory.registerFollowUpHandlers(jobs);
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    memory.registerJobHandlers(jobs);
  }

  @Override
  public void scheduleJobs(SpaceId space) {
    memory.scheduleJobs(space);
  }

  @Override
  public CleanupResult runMaintenance(SpaceId space) {
    return memory.runMaintenance(space);
  }

  @Override
  public List<Turn> summarizedTurns(SpaceId space, Id summarized) {
    return memory.summarizedTurns(space, summarized);
  }
}
