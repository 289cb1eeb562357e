package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Recollection.Hit;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.text.FindingKind;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchHit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory as records of a store. */
final class RecordMemory implements Memory {
  private static final Logger LOG = LoggerFactory.getLogger(RecordMemory.class);
  private static final String TEND = "memory.tend";
  private static final String FALLBACK = Summary.EXTRACTIVE + " (the summarizer failed)";

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryParts parts;
  private final Digest digest;
  private final PolicyRunner policies;

  RecordMemory(RecordStore store, MemoryConfig config, MemoryParts parts) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.digest = new Digest(config);
    this.policies = new PolicyRunner(store, this::desk, this::operations);
  }

  /** Everybody may do everything. */
  @Override
  public Memory as(String actor) {
    return this;
  }

  @Override
  public <R> R run(SpaceId space, Command<R> command) {
    Command<R> prepared = prepare(space, command);
    return commit(space, desk -> operations(desk).run(prepared));
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return operations(desk(transaction)).run(command);
  }

  /** One commit, and then the policies that it has set off. */
  private <R> R commit(SpaceId space, Function<Desk, R> work) {
    Committed<R> committed =
        store.write(
            space,
            transaction -> {
              Desk desk = desk(transaction);
              R answer = work.apply(desk);
              return new Committed<>(answer, desk.runs());
            });
    committed.runs().forEach(run -> follow(space, run));
    return committed.answer();
  }

  private record Committed<R>(R answer, List<Id> runs) {}

  /** A policy that fails does not undo what set it off: its job tries again. */
  private void follow(SpaceId space, Id run) {
    try {
      policies.finish(space, run);
      policies.release(space, run);
    } catch (RuntimeException e) {
      LOG.warn("A policy run will be tried again: {}", e.getMessage());
    }
  }

  @Override
  public void attach(Jobs jobs) {
    jobs.handle(
        Triggers.JOB,
        run -> {
          policies.finish(run.space(), Json.read(run.job().payload(), Id.class));
          return JobEffect.none();
        });
    jobs.handle(
        Schedules.JOB,
        run -> {
          Schedules.Appointment due = Json.read(run.job().payload(), Schedules.Appointment.class);
          return transaction -> new Schedules(desk(transaction)).keep(due);
        });
    jobs.handle(
        TEND,
        run -> {
          tend(run.space());
          return this::arm;
        });
  }

  @Override
  public void arm(SpaceId space) {
    store.write(
        space,
        transaction -> {
          arm(transaction);
          return true;
        });
  }

  /** The next clean-up has a slot of its own, so that there is one for each, whoever asks. */
  private void arm(Transaction transaction) {
    new Schedules(desk(transaction)).arm();
    long interval = config.retention().interval().toMillis();
    long slot = transaction.now().toEpochMilli() / interval + 1;
    Jobs.schedule(
        transaction,
        JobRequest.of(TEND, Long.toString(slot), Instant.ofEpochMilli(slot * interval))
            .once(Long.toString(slot)));
  }

  @Override
  public void tend(SpaceId space) {
    sweep(space);
    List<CleanupStep> steps = new ArrayList<>(new Cleanup(config.retention(), this::desk).steps());
    steps.addAll(parts.rooms().cleanup());
    for (CleanupStep step : steps) {
      boolean more = true;
      while (more) {
        more =
            store.write(space, transaction -> step.clean(transaction, config.retention().batch()));
      }
    }
  }

  private void sweep(SpaceId space) {
    Orphans found = run(space, new SweepOrphans());
    while (!found.complete()) {
      found = run(space, new SweepOrphans());
    }
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return store.read(space, snapshot -> reading.apply(viewOf(snapshot)));
  }

  @Override
  public Note remember(SpaceId space, Remember memory) {
    return run(space, note(space, memory));
  }

  @Override
  public Note remember(Transaction transaction, Remember memory) {
    return run(transaction, note(transaction.space(), memory));
  }

  @Override
  public List<Turn> remember(SpaceId space, String session, List<NewTurn> turns) {
    return commit(space, desk -> append(desk, session, turns));
  }

  @Override
  public List<Turn> remember(Transaction transaction, String session, List<NewTurn> turns) {
    return append(desk(transaction), session, turns);
  }

  private List<Turn> append(Desk desk, String session, List<NewTurn> turns) {
    Texts.requireFilled("session", session);
    Operations operations = operations(desk);
    Trajectory trajectory = session(desk, operations, session);
    Scope scope =
        desk.view()
            .currentScope(trajectory.id())
            .orElseGet(() -> operations.run(new OpenScope(trajectory.id())));
    return operations.run(new AppendTurns(scope.id(), turns));
  }

  @Override
  public Recollection recall(SpaceId space, RecallQuery query) {
    new Limit("memory.recall.limit", config.recall().limit()).check(query.limit());
    Instant now = parts.clock().instant();
    return parts.search().isPresent() && query.asOf().isEmpty()
        ? searchOrScan(space, query, now)
        : scan(space, query, now, Scan.METHOD);
  }

  /** An index that has not caught up is no reason to say nothing. */
  private Recollection searchOrScan(SpaceId space, RecallQuery query, Instant now) {
    try {
      return search(
          space, query, new IndexRecall(parts.search().orElseThrow(), parts.counter()), now);
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return scan(space, query, now, Scan.METHOD_BEHIND);
    }
  }

  /** The index knows the present; what was believed earlier is read from the records. */
  private Recollection scan(SpaceId space, RecallQuery query, Instant now, String method) {
    return view(
        space,
        view ->
            fitted(
                new Scan(view, config.recall(), parts.counter()).find(query, now), method, query));
  }

  private Recollection search(SpaceId space, RecallQuery query, IndexRecall recall, Instant now) {
    long sequence = store.changes().head(space).sequence();
    List<SearchHit> found = recall.search(space, query, sequence, now);
    List<Hit> hits = view(space, view -> recall.read(view, found, query, now));
    return fitted(hits, IndexRecall.METHOD, query);
  }

  @Override
  public Forgotten forget(SpaceId space, Forget command) {
    List<EntityRef> all = new ArrayList<>();
    Forgotten part = run(space, command);
    all.addAll(part.records());
    while (!part.complete() && !command.preview()) {
      part = run(space, command);
      all.addAll(part.records());
    }
    return new Forgotten(all, command.preview(), part.complete());
  }

  @Override
  public List<Turn> uncompact(SpaceId space, Id summarized) {
    return view(space, view -> uncompact(view, summarized));
  }

  private static List<Turn> uncompact(MemoryView view, Id summarized) {
    if (view.snapshot().find(Scope.TABLE, summarized).isPresent()) {
      return view.turns(summarized);
    }
    Trajectory trajectory = view.trajectory(summarized);
    return view.turns(trajectory.id(), 0, trajectory.counters().turns());
  }

  /** Takes what fits, best first; nothing is cut. */
  private static Recollection fitted(List<Hit> hits, String method, RecallQuery query) {
    List<Hit> taken = new ArrayList<>();
    long tokens = 0;
    for (Hit hit : hits) {
      if (tokens + hit.tokens() <= query.maxTokens().orElse(Integer.MAX_VALUE)) {
        taken.add(hit);
        tokens += hit.tokens();
      }
    }
    return new Recollection(taken, method, hits.size() - taken.size());
  }

  private WriteNote note(SpaceId space, Remember memory) {
    new Guard(config.limits()).check(memory);
    String entity = memory.about().or(memory::subject).orElse(space.value());
    EntityType sort = memory.about().isPresent() ? EntityType.NOTE : EntityType.SUBJECT;
    WriteNote note =
        WriteNote.of(
            entity, sort.word(), memory.type().orElseGet(() -> type(memory.text())), memory.text());
    return memory.subject().map(subject -> note.labelled(Labels.ofSubject(subject))).orElse(note);
  }

  private NoteType type(String text) {
    return digest.reader().findings(text).stream()
            .anyMatch(found -> found.kind() == FindingKind.PREFERENCE)
        ? NoteType.PREFERENCE
        : NoteType.FACT;
  }

  private static Trajectory session(Desk desk, Operations operations, String session) {
    return desk.view()
        .session(session)
        .filter(found -> !found.status().isTerminal())
        .orElseGet(
            () ->
                operations.run(
                    StartTrajectory.of(session, EntityRef.of(EntityType.SUBJECT, session))
                        .labelled(Labels.ofExternalId(session))));
  }

  /** What may be slow is done here, before the commit. */
  @SuppressWarnings("unchecked") // a CloseScope for a CloseScope
  private <R> Command<R> prepare(SpaceId space, Command<R> command) {
    return command instanceof CloseScope close && parts.summarizer().isPresent()
        ? (Command<R>) prepare(space, close, parts.summarizer().get())
        : command;
  }

  private CloseScope prepare(SpaceId space, CloseScope command, Summarizer summarizer) {
    List<Turn> turns =
        view(space, view -> view.lastTurns(command.scope(), config.limits().summarized()));
    int counted = view(space, view -> view.turnsSaid(view.scope(command.scope())));
    return turns.isEmpty() ? command : command.with(summary(turns, summarizer), counted);
  }

  private Summary summary(List<Turn> turns, Summarizer summarizer) {
    try {
      return summarizer.summarize(digest.passages(turns));
    } catch (RuntimeException e) {
      LOG.warn("A summary was extracted because the summarizer failed: {}", e.getMessage());
      return new Summary(FALLBACK, digest.summary(turns).sentences());
    }
  }

  private Desk desk(Transaction transaction) {
    return new Desk(transaction, config, parts);
  }

  private Operations operations(Desk desk) {
    return new Operations(desk, parts.counter(), digest);
  }

  private MemoryView viewOf(Snapshot snapshot) {
    return MemoryView.of(snapshot, config);
  }
}
