package dev.caliber.memory.pcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.ContextException;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.text.PlainReader;
import dev.caliber.store.JobEffect;
import dev.caliber.store.Jobs;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.RecordStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A guardian over the records of a store. */
final class RecordedGuardian implements Guardian {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedGuardian.class);

  private final RecordStore store;
  private final Memory memory;
  private final ContextAssembler assembler;
  private final MemoryConfig config;
  private final MemoryParts parts;
  private final PlainReader reader;

  RecordedGuardian(Rooms rooms, MemoryConfig config, MemoryParts parts) {
    this.store = rooms.store();
    this.memory = rooms.memory();
    this.assembler = rooms.assembler();
    this.config = config;
    this.parts = parts;
    this.reader = PlainReader.of(config.text());
  }

  private PcpConfig settings() {
    return parts.runtime().pcp();
  }

  private Instant now() {
    return parts.clock().instant();
  }

  /** Everybody may do everything. */
  @Override
  public Guardian as(String actor) {
    return this;
  }

  @Override
  public void attach(Jobs jobs) {
    jobs.handle(LedgerJobs.KIND, run -> ledger(run.space(), LedgerJobs.checkpoint(run)));
  }

  @Override
  public Checked assemble(SpaceId space, AssembleRequest request, boolean dosed) {
    AssembleRequest wish = dosed ? request.dosed(settings().dosage()) : request;
    Assembled made = assembler.assemble(space, wish);
    return checked(made, () -> validate(space, request, made.window()));
  }

  private Checked checked(Assembled made, Supplier<Report> looking) {
    boolean always = settings().validation() == PcpConfig.Validation.ALWAYS;
    return Checked.of(made, always ? Optional.of(looking.get()) : Optional.empty());
  }

  /** A dry run leaves no trace. */
  private Report validate(SpaceId space, AssembleRequest request, Window window) {
    return request.dryRun()
        ? look(space, looking -> looking.window(window))
        : validate(space, window);
  }

  @Override
  public Report validate(SpaceId space, Window window) {
    Instant begun = now();
    Report report = look(space, looking -> looking.window(window));
    trace(space, EntityRef.of(EntityType.WINDOW, window.id()), window.trajectory(), report, begun);
    return report;
  }

  @Override
  public Report validate(SpaceId space, Id trajectory) {
    Instant begun = now();
    Report report = look(space, looking -> looking.trajectory(trajectory));
    trace(space, EntityRef.of(EntityType.TRAJECTORY, trajectory), trajectory, report, begun);
    return report;
  }

  private Report look(SpaceId space, Function<Validating, Validating.Looked> look) {
    Instant now = now();
    Issues issues = new Issues(config.limits().records());
    Validating.Looked looked =
        memory.view(
            space, view -> look.apply(new Validating(settings(), reader, view, now, issues)));
    Validating.byMeaning(nearness(space), looked, settings()).forEach(issues::add);
    return issues.report();
  }

  /** As of all that is there. */
  private Nearness nearness(SpaceId space) {
    return new Nearness(parts.search(), space, store.changes().head(space).sequence());
  }

  private void trace(SpaceId space, EntityRef what, Id trajectory, Report report, Instant begun) {
    Duration duration = Duration.between(begun, now());
    store.write(
        space,
        transaction -> {
          transaction.append(
              TraceEvent.TABLE,
              TraceEvent.of(transaction, "validation_run", what, Optional.of(trajectory))
                  .saying(report.codes())
                  .lasting(duration));
          return true;
        });
  }

  @Override
  public List<Resolution> resolve(SpaceId space, Report report) {
    Resolving resolving =
        new Resolving(
            memory,
            config,
            settings().grounding().conflictResolution(),
            parts.runtime().memory().initialNoteConfidence(),
            parts.clock());
    return report.issues().stream()
        .filter(resolving::concerns)
        .flatMap(issue -> resolve(space, resolving, issue).stream())
        .toList();
  }

  private Optional<Resolution> resolve(SpaceId space, Resolving resolving, Issue issue) {
    return store.write(space, transaction -> resolving.resolve(transaction, issue));
  }

  @Override
  public Checkpoint checkpoint(SpaceId space, Id trajectory) {
    Checkpoint made = memory.run(space, SaveCheckpoint.of(trajectory));
    keepLedger(space, made.id());
    return withLedgers(space, List.of(made)).getFirst();
  }

  /** A point stands, whatever becomes of its ledger, and says that it has none. */
  private void keepLedger(SpaceId space, Id checkpoint) {
    try {
      JobEffect kept = ledger(space, checkpoint);
      store.write(
          space,
          transaction -> {
            kept.apply(transaction);
            return true;
          });
    } catch (CaliberException e) {
      LOG.warn("Checkpoint {} has no ledger: {}", checkpoint, e.getMessage());
    }
  }

  /** Makes the ledger of a checkpoint as of its commit; nothing for one that is gone or has it. */
  private JobEffect ledger(SpaceId space, Id checkpoint) {
    Optional<Window> window =
        store
            .<Optional<Checkpoint>>read(
                space,
                snapshot ->
                    snapshot
                        .find(Checkpoint.TABLE, checkpoint)
                        .filter(_ -> !Ledgers.isKept(snapshot, checkpoint)))
            .flatMap(point -> pastIfAny(space, point));
    Ledgers ledgers = new Ledgers(settings().checkpoints(), config.limits().page());
    return transaction -> window.ifPresent(made -> ledgers.keep(transaction, checkpoint, made));
  }

  /** Where none can be made now, none can later: nobody has to try again. */
  private Optional<Window> pastIfAny(SpaceId space, Checkpoint point) {
    try {
      return Optional.of(past(space, point));
    } catch (ContextException e) {
      LOG.warn("Of checkpoint {} no window can be made: {}", point.id(), e.getMessage());
      return Optional.empty();
    }
  }

  /** The window at a point: without a query, within the dosage, not kept. */
  private Window past(SpaceId space, Checkpoint point) {
    return assembler
        .assemble(
            space,
            AssembleRequest.of(point.trajectory())
                .within(settings().dosage().maxContextTokens())
                .asOf(point.createdAt())
                .dry())
        .window();
  }

  @Override
  public List<Checkpoint> withLedgers(SpaceId space, List<Checkpoint> checkpoints) {
    return store.read(
        space,
        snapshot ->
            checkpoints.stream()
                .map(point -> point.withLedger(Ledgers.isKept(snapshot, point.id())))
                .toList());
  }

  @Override
  public Window window(SpaceId space, Id checkpoint) {
    Checkpoint point = memory.view(space, view -> view.checkpoint(checkpoint));
    return store
        .read(space, snapshot -> Ledgers.window(snapshot, checkpoint))
        .orElseGet(() -> past(space, point));
  }

  @Override
  public Recovery recover(SpaceId space, Recover wish) {
    if (wish.trajectory().isPresent()) {
      return recover(space, RollBack.toLatest(wish.trajectory().get()), wish.dryRun());
    }
    Optional<Checkpoint> point =
        memory.view(space, view -> view.find(Checkpoint.TABLE, wish.checkpoint().orElseThrow()));
    if (point.isEmpty()) {
      return Recovery.refused(
          MemoryErrorCode.UNKNOWN_RECORD, "Checkpoint not found", wish.dryRun());
    }
    return point.get().recoverable()
        ? recover(space, RollBack.to(point.get()), wish.dryRun())
        : Recovery.refused(
            MemoryErrorCode.NO_CHECKPOINT_AVAILABLE, "Checkpoint not recoverable", wish.dryRun());
  }

  private Recovery recover(SpaceId space, RollBack back, boolean dryRun) {
    return Recovery.of(memory.run(space, dryRun ? back.previewed() : back), dryRun);
  }

  @Override
  public Trajectory fork(SpaceId space, Id checkpoint, String goal) {
    Trajectory origin =
        memory.view(space, view -> view.trajectory(view.checkpoint(checkpoint).trajectory()));
    return memory.run(
        space, new ForkTrajectory(checkpoint, StartTrajectory.of(goal, origin.initiator())));
  }

  @Override
  public Checked dose(SpaceId space, Window window, Persistence persistence) {
    Assembled made = assembler.dose(space, window, settings().dosage(), persistence);
    return checked(made, () -> validate(space, made.window()));
  }

  @Override
  public Report lint(SpaceId space, Id artifact) {
    Instant begun = now();
    Artifact made = memory.view(space, view -> view.artifact(artifact));
    Lintings lintings = lintings(space, begun);
    lintings.add(made);
    Report report = lintings.report();
    trace(space, EntityRef.of(EntityType.ARTIFACT, artifact), made.trajectory(), report, begun);
    return report;
  }

  @Override
  public Report lintTrajectory(SpaceId space, Id trajectory) {
    Instant begun = now();
    memory.view(space, view -> view.trajectory(trajectory));
    Lintings lintings = lintings(space, begun);
    Page<Artifact> page = artifacts(space, trajectory, Optional.empty());
    lintings.add(page);
    while (page.next().isPresent()) {
      page = artifacts(space, trajectory, page.next());
      lintings.add(page);
    }
    Report report = lintings.report();
    trace(space, EntityRef.of(EntityType.TRAJECTORY, trajectory), trajectory, report, begun);
    return report;
  }

  private Page<Artifact> artifacts(SpaceId space, Id trajectory, Optional<PageCursor> place) {
    return memory.view(space, view -> view.artifacts(trajectory, place));
  }

  private Lintings lintings(SpaceId space, Instant at) {
    PcpConfig.Lint lint = settings().lint();
    return new Lintings(
        new Linting(lint),
        new Duplicates(memory, space, lint, at, nearness(space)),
        new Issues(config.limits().records()),
        at);
  }

  /** The look of one report at artifacts, a page at a time. */
  private record Lintings(Linting alone, Duplicates duplicates, Issues issues, Instant at) {
    void add(Page<Artifact> page) {
      page.records().stream().filter(made -> made.isLive(at)).forEach(this::add);
    }

    void add(Artifact made) {
      alone.of(made).forEach(issues::add);
      duplicates.of(made).ifPresent(issues::add);
    }

    Report report() {
      duplicates.failure().ifPresent(issues::add);
      return issues.report();
    }
  }

  @Override
  public CleanedUp cleanUp(SpaceId space) {
    return CleanedUp.of(memory.tend(space));
  }

  @Override
  public TrajectoryState state(SpaceId space, Id trajectory) {
    return memory.view(space, view -> TrajectoryState.of(view, trajectory));
  }

  @Override
  public Story story(SpaceId space, Id trajectory, Optional<String> type, int limit) {
    return memory.view(space, view -> Story.of(view, trajectory, type, limit));
  }

  @Override
  public Lineage lineage(SpaceId space, Id artifact) {
    return memory.view(space, view -> Lineage.of(view, artifact));
  }
}
