package dev.caliber.server.telemetry;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.Swept;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import io.opentelemetry.api.trace.Span;
import java.util.List;
import java.util.function.Function;

/** Memory whose changes and searches are spans, also where a change is part of a larger commit. */
record TracedMemory(Memory memory, Spans spans) implements Memory {
  private static final String RECORD = "gen_ai.memory.record.id";
  private static final String COMMAND = "caliber.command";

  @Override
  public Memory as(String actor) {
    return new TracedMemory(memory.as(actor), spans);
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    return spans.in(
        operation(command),
        space,
        span -> {
          span.setAttribute(COMMAND, command.getClass().getSimpleName());
          return memory.run(space, command);
        });
  }

  private static String operation(Command<?> command) {
    return command instanceof Forget ? Spans.DELETE : Spans.UPDATE;
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return spans.in(
        operation(command),
        transaction.space(),
        span -> {
          span.setAttribute(COMMAND, command.getClass().getSimpleName());
          return memory.run(transaction, command);
        });
  }

  @Override
  public <R> Function<Transaction, R> prepare(SpaceId space, Command<R> command) {
    Function<Transaction, R> ready = memory.prepare(space, command);
    return transaction ->
        spans.in(
            operation(command),
            transaction.space(),
            span -> {
              span.setAttribute(COMMAND, command.getClass().getSimpleName());
              return ready.apply(transaction);
            });
  }

  @Override
  public Function<Transaction, Note> prepare(SpaceId space, Remember remembered) {
    Function<Transaction, Note> ready = memory.prepare(space, remembered);
    return transaction ->
        spans.in(Spans.UPDATE, transaction.space(), span -> noted(span, ready.apply(transaction)));
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return memory.view(space, reading);
  }

  @Override
  public Note remember(SpaceId space, Remember remembered) {
    return spans.in(Spans.UPDATE, space, span -> noted(span, memory.remember(space, remembered)));
  }

  private static Note noted(Span span, Note note) {
    span.setAttribute(RECORD, note.id().toString());
    return note;
  }

  @Override
  public Note remember(Transaction transaction, Remember remembered) {
    return spans.in(
        Spans.UPDATE,
        transaction.space(),
        span -> noted(span, memory.remember(transaction, remembered)));
  }

  @Override
  public Appended remember(SpaceId space, String session, List<NewTurn> turns) {
    return spans.in(Spans.UPDATE, space, _ -> memory.remember(space, session, turns));
  }

  @Override
  public Appended remember(Transaction transaction, String session, List<NewTurn> turns) {
    return spans.in(
        Spans.UPDATE, transaction.space(), _ -> memory.remember(transaction, session, turns));
  }

  @Override
  public Recollection recall(SpaceId space, RecallQuery query) {
    return spans.in(
        Spans.SEARCH,
        space,
        span -> {
          spans.query(span, query.text());
          Recollection found = memory.recall(space, query);
          span.setAttribute("gen_ai.memory.record.count", found.hits().size());
          return found;
        });
  }

  @Override
  public Forgotten forget(SpaceId space, Forget command) {
    return spans.in(
        Spans.DELETE,
        space,
        span -> {
          command.id().ifPresent(id -> span.setAttribute(RECORD, id.toString()));
          Forgotten gone = memory.forget(space, command);
          span.setAttribute("gen_ai.memory.record.count", gone.records().size());
          return gone;
        });
  }

  @Override
  public void attach(Jobs jobs) {
    memory.attach(jobs);
  }

  @Override
  public void arm(SpaceId space) {
    memory.arm(space);
  }

  @Override
  public Swept tend(SpaceId space) {
    return memory.tend(space);
  }

  @Override
  public List<Turn> uncompact(SpaceId space, Id summarized) {
    return memory.uncompact(space, summarized);
  }
}
