package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Recollection.Hit;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.Swept;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.store.BatchedWork;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRun;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory as records of a store. */
final class RecordMemory implements Memory {
  private static final Logger LOG = LoggerFactory.getLogger(RecordMemory.class);

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryParts parts;
  private final Digest digest;
  private final Preparation preparation;
  private final PolicyRunner policies;
  private final Upkeep upkeep;
  private final BatchedWork<Quoted> unquoting;
  private final Forgetting forgetting;
  private final Consolidating consolidating;

  RecordMemory(RecordStore given, MemoryConfig config, MemoryParts parts) {
    this.store = HidingStore.over(given);
    this.config = config;
    this.parts = parts;
    this.digest = new Digest(config);
    this.preparation = new Preparation(store, config, parts, digest);
    this.policies = new PolicyRunner(store, config, preparation, this::desk, this::operations);
    this.upkeep = new Upkeep(store, config, parts, this::desk, this::operations);
    BatchedWork.Parts batches =
        new BatchedWork.Parts(
            HidingStore.showing(store), config.retention().batches(), parts.clock());
    Unquoting quotes = Unquoting.of(config, parts);
    this.unquoting =
        new BatchedWork<>(
            Unquoting.JOB, Quoted.class, (_, gone) -> most -> quotes.next(gone, most), batches);
    this.forgetting = new Forgetting(config, batches, this::desk, unquoting);
    this.consolidating = new Consolidating(config, this::consolidate);
  }

  /** Everybody may do everything. */
  @Override
  public Memory as(String actor) {
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // it answers what it says
  public <R> R run(SpaceId space, Command<R> command) {
    return switch (command) {
      case Consolidate consolidate -> (R) consolidating.consolidate(space, consolidate);
      case Forget forget -> (R) forgetting.forget(space, forget);
      default -> runAtOnce(space, command); // all others are one commit
    };
  }

  private Consolidating.Part consolidate(
      SpaceId space, Function<ConsolidationWork, Consolidating.Part> work) {
    return commit(space, desk -> work.apply(operations(desk).consolidation()));
  }

  private <R> R runAtOnce(SpaceId space, Command<R> command) {
    Prepared prepared = preparation.of(space, command);
    Command<R> ready = ready(command);
    Supplier<R> commit = () -> commit(space, prepared, desk -> operations(desk).run(ready));
    return command instanceof RollBack back ? RollBackWork.inOneCommit(back, commit) : commit.get();
  }

  /** What need not be found out in its turn to write. */
  @SuppressWarnings("unchecked") // it answers what it did before
  private <R> Command<R> ready(Command<R> command) {
    return command instanceof AppendTurns(var scope, var turns)
        ? (Command<R>) new AppendTurns(scope, counted(turns))
        : command;
  }

  private List<NewTurn> counted(List<NewTurn> turns) {
    new Guard(config.limits()).check(turns);
    return turns.stream().map(turn -> turn.counted(parts.counter())).toList();
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return operations(desk(transaction)).run(command);
  }

  @Override
  public <R> Function<Transaction, R> prepare(SpaceId space, Command<R> command) {
    Prepared prepared = preparation.of(space, command);
    Command<R> ready = ready(command);
    return transaction -> operations(desk(transaction, prepared)).run(ready);
  }

  @Override
  public Function<Transaction, Note> prepare(SpaceId space, Remember memory) {
    return prepare(space, note(space, memory));
  }

  private <R> R commit(SpaceId space, Function<Desk, R> work) {
    return commit(space, Prepared.NOTHING, work);
  }

  /** One commit, then what is left of it to end or forget, and the policies it has set off. */
  private <R> R commit(SpaceId space, Prepared prepared, Function<Desk, R> work) {
    Committed<R> committed =
        store.write(
            space,
            transaction -> {
              Desk desk = desk(transaction, prepared);
              R answer = work.apply(desk);
              return new Committed<>(
                  answer,
                  desk.runs(),
                  desk.stillQuoted(),
                  desk.stillLiving(),
                  desk.stillUnlabelled());
            });
    committed.living().forEach(rest -> expire(space, rest));
    committed.unlabelled().forEach(rest -> label(space, rest));
    committed.quoted().forEach(rest -> unquote(space, rest));
    committed.runs().forEach(run -> follow(space, run));
    return committed.answer();
  }

  private record Committed<R>(
      R answer,
      List<Id> runs,
      List<BatchedWork.Ticket<Quoted>> quoted,
      List<Ending.Rest> living,
      List<SubjectLabelling.Rest> unlabelled) {}

  /** What it was bound to is over, whatever happens here: its job tries again. */
  private void expire(SpaceId space, Ending.Rest rest) {
    try {
      upkeep.expire(space, rest);
    } catch (RuntimeException e) {
      LOG.warn("Artifacts that have lived will end later: {}", e.getMessage());
    }
  }

  /** The trajectory has its subject, whatever happens here: the job labels the other records. */
  private void label(SpaceId space, SubjectLabelling.Rest rest) {
    try {
      upkeep.label(space, rest);
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: records of trajectory {} get their subject later: {}",
          space,
          rest.trajectory(),
          e.getMessage());
    }
  }

  /** The records are gone, whatever happens here: its job tries again. */
  private void unquote(SpaceId space, BatchedWork.Ticket<Quoted> rest) {
    try {
      unquoting.resume(space, rest);
    } catch (RuntimeException e) {
      LOG.warn("What quotes the forgotten will be removed later: {}", e.getMessage());
    }
  }

  /** A policy that fails does not undo what set it off: its job tries again. */
  private void follow(SpaceId space, Id run) {
    try {
      policies.finish(space, run, Upkeep.Pace.UNLEASED);
      policies.release(space, run);
    } catch (RuntimeException e) {
      LOG.warn("A policy run will be tried again: {}", e.getMessage());
    }
  }

  @Override
  public void attach(Jobs jobs) {
    upkeep.attach(jobs, policies);
    unquoting.handle(jobs);
    forgetting.attach(jobs);
    jobs.handle(LearningWork.JOB, this::learn);
  }

  private JobEffect learn(JobRun job) {
    run(job.space(), Json.read(job.job().payload(), LearnFromTurns.class));
    return JobEffect.none();
  }

  @Override
  public void arm(SpaceId space) {
    upkeep.arm(space);
  }

  @Override
  public Swept tend(SpaceId space) {
    return upkeep.tend(space, Upkeep.Pace.UNLEASED);
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
  public Appended remember(SpaceId space, String session, List<NewTurn> turns) {
    List<NewTurn> ready = counted(turns);
    return commit(space, desk -> append(desk, session, ready));
  }

  @Override
  public Appended remember(Transaction transaction, String session, List<NewTurn> turns) {
    return append(desk(transaction), session, turns);
  }

  private Appended append(Desk desk, String session, List<NewTurn> turns) {
    Texts.requireFilled("session", session);
    Operations operations = operations(desk);
    Trajectory trajectory = session(desk, operations, session);
    Scope scope =
        desk.view()
            .currentScope(trajectory.id())
            .orElseGet(() -> operations.run(new OpenScope(trajectory.id())));
    List<Turn> said = operations.run(new AppendTurns(scope.id(), turns));
    List<Id> ids = said.stream().map(Turn::id).toList();
    return new Appended(said, operations.run(new LearnFromTurns(ids)));
  }

  @Override
  public Recollection recall(SpaceId space, RecallQuery query) {
    new Limit("memory.recall.limit", config.recall().limit()).check("limit", query.limit());
    new Guard(config.limits()).check(query);
    Instant now = parts.clock().instant();
    return parts.search().isPresent() && query.asOf().isEmpty()
        ? searchOrScan(space, query, now)
        : scan(space, query, now, Scan.METHOD);
  }

  /** An index that has not caught up is no reason to say nothing. */
  private Recollection searchOrScan(SpaceId space, RecallQuery query, Instant now) {
    try {
      return search(
          space,
          query,
          new IndexRecall(
              parts.search().orElseThrow(), parts.counter(), config.recall().minSimilarity()),
          now);
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
        view -> {
          Scan.Found found = new Scan(view, config.recall(), parts.counter()).find(query, now);
          return fitted(found, method, query);
        });
  }

  private Recollection search(SpaceId space, RecallQuery query, IndexRecall recall, Instant now) {
    long sequence = store.changes().head(space).sequence();
    IndexRecall.Found found = recall.search(space, query, query.limit(), sequence, now);
    List<Hit> hits = view(space, view -> recall.read(view, found.hits(), query, now));
    int lost = found.hits().size() - hits.size();
    if (lost > 0 && found.hits().size() == query.limit()) {
      List<SearchHit> more =
          recall.search(space, query, query.limit() + lost, sequence, now).hits();
      hits = view(space, view -> recall.read(view, more, query, now));
    }
    List<Hit> best = hits.subList(0, Math.min(hits.size(), query.limit()));
    return fitted(new Scan.Found(best, false), Recollection.BY_INDEX, query)
        .lacking(found.unembedded());
  }

  @Override
  public Forgotten forget(SpaceId space, Forget command) {
    return forgetting.forget(space, command);
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
  private static Recollection fitted(Scan.Found found, String method, RecallQuery query) {
    List<Hit> taken = new ArrayList<>();
    long tokens = 0;
    for (Hit hit : found.hits()) {
      if (tokens + hit.tokens() <= query.maxTokens().orElse(Integer.MAX_VALUE)) {
        taken.add(hit);
        tokens += hit.tokens();
      }
    }
    return new Recollection(taken, method, found.hits().size() - taken.size(), found.partial(), 0);
  }

  private WriteNote note(SpaceId space, Remember memory) {
    new Guard(config.limits()).check(memory);
    Labels labels = memory.subject().map(Labels::ofSubject).orElse(Labels.none());
    String entity = memory.about().or(memory::subject).orElse(space.value());
    EntityType sort = memory.about().isPresent() ? EntityType.NOTE : EntityType.SUBJECT;
    NoteType type = memory.type().orElseGet(() -> type(memory.text()));
    return WriteNote.of(entity, sort.word(), type, memory.text()).labelled(labels);
  }

  private NoteType type(String text) {
    return digest.reader().findings(text).stream()
            .anyMatch(found -> found.kind() == FindingKind.PREFERENCE)
        ? NoteType.PREFERENCE
        : NoteType.FACT;
  }

  private static Trajectory session(Desk desk, Operations operations, String session) {
    return desk.view()
        .openSession(session)
        .orElseGet(
            () ->
                operations.run(
                    StartTrajectory.of(session, EntityRef.of(EntityType.SUBJECT, session))
                        .labelled(Labels.ofExternalId(session))));
  }

  private Desk desk(Transaction transaction) {
    return desk(transaction, Prepared.NOTHING);
  }

  private Desk desk(Transaction transaction, Prepared prepared) {
    return new Desk(transaction, config, parts, prepared);
  }

  private Operations operations(Desk desk) {
    return new Operations(desk, parts.counter(), digest);
  }

  private MemoryView viewOf(Snapshot snapshot) {
    return MemoryView.of(snapshot, config);
  }
}
