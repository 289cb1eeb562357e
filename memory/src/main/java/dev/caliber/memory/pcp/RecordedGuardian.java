package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.Orphans;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.text.PlainReader;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Row;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A guardian over the records of a store. */
final class RecordedGuardian implements Guardian {
  /** How often a window is made anew because the trajectory has moved on meanwhile. */
  private static final int ATTEMPTS_BOUND = 3;

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

  @Override
  public Checked assemble(SpaceId space, AssembleRequest request) {
    Assembled made = assembler.assemble(space, request.dosed(settings().dosage()));
    return new Checked(
        made,
        Optional.of(settings().validation())
            .filter(when -> when == PcpConfig.Validation.ALWAYS)
            .map(_ -> validate(space, made.window())));
  }

  @Override
  public Report validate(SpaceId space, Window window) {
    return validate(
        space,
        looking -> looking.window(window),
        EntityRef.of(EntityType.WINDOW, window.id()),
        window.trajectory());
  }

  @Override
  public Report validate(SpaceId space, Id trajectory) {
    return validate(
        space,
        looking -> looking.trajectory(trajectory),
        EntityRef.of(EntityType.TRAJECTORY, trajectory),
        trajectory);
  }

  private Report validate(
      SpaceId space, Function<Validating, Validating.Looked> look, EntityRef what, Id trajectory) {
    Instant begun = now();
    Validating.Looked looked =
        memory.view(space, view -> look.apply(new Validating(settings(), reader, view, begun)));
    List<Issue> issues = new ArrayList<>(looked.issues());
    parts
        .search()
        .ifPresent(index -> issues.addAll(Validating.byMeaning(index, space, looked, settings())));
    Report report = Report.of(issues);
    trace(space, "validation_run", what, trajectory, report.codes(), begun);
    return report;
  }

  private void trace(
      SpaceId space, String type, EntityRef what, Id trajectory, String code, Instant begun) {
    Duration duration = Duration.between(begun, now());
    store.write(
        space,
        transaction -> {
          transaction.insert(
              TraceEvent.TABLE,
              TraceEvent.of(transaction, type, what, Optional.of(trajectory))
                  .saying(code)
                  .lasting(duration));
          return true;
        });
  }

  @Override
  public List<Resolution> resolve(SpaceId space, Report report) {
    Resolving resolving =
        new Resolving(
            memory,
            settings().grounding().conflictResolution(),
            parts.runtime().memory().initialNoteConfidence(),
            now());
    return report.issues().stream()
        .flatMap(issue -> resolving.resolve(space, issue).stream())
        .toList();
  }

  @Override
  public Checkpoint checkpoint(SpaceId space, Id trajectory) {
    Optional<Checkpoint> made = Optional.empty();
    for (int i = 0; i < ATTEMPTS_BOUND && made.isEmpty(); i++) {
      Window window = assembler.assemble(space, atRest(trajectory)).window();
      made = store.write(space, transaction -> checkpoint(transaction, window));
    }
    return made.orElseGet(() -> memory.run(space, SaveCheckpoint.of(trajectory)));
  }

  /** A window without a query, within the dosage; nothing of it is kept but its ledger. */
  private AssembleRequest atRest(Id trajectory) {
    return AssembleRequest.of(trajectory).within(settings().dosage().maxContextTokens()).dry();
  }

  /** Nothing if the trajectory has moved on since the window was made. */
  private Optional<Checkpoint> checkpoint(Transaction transaction, Window window) {
    if (lastCommit(transaction, window.trajectory()) > window.inputs().sequence()) {
      return Optional.empty();
    }
    Checkpoint made = memory.run(transaction, SaveCheckpoint.of(window.trajectory()));
    new Ledgers(settings().checkpoints(), config.limits().page()).keep(transaction, made, window);
    return Optional.of(made);
  }

  /** The last commit of this trajectory; a turn does not touch its trajectory's own record. */
  private static long lastCommit(Transaction transaction, Id trajectory) {
    Query<Turn> newest =
        Query.over(Turn.TABLE, "trajectory", "position").equal(trajectory).descending();
    long said =
        transaction.scan(newest, 1).records().stream()
            .flatMap(turn -> transaction.row(Turn.TABLE, turn.id()).stream())
            .mapToLong(Row::revision)
            .max()
            .orElse(0);
    return transaction
        .row(Trajectory.TABLE, trajectory)
        .map(row -> Math.max(row.revision(), said))
        .orElse(said);
  }

  @Override
  public Window window(SpaceId space, Id checkpoint) {
    Checkpoint point = memory.view(space, view -> view.checkpoint(checkpoint));
    return store
        .read(space, snapshot -> Ledgers.window(snapshot, checkpoint))
        .orElseGet(
            () ->
                assembler
                    .assemble(space, atRest(point.trajectory()).asOf(point.createdAt()))
                    .window());
  }

  @Override
  public Recovery recover(SpaceId space, Recover wish) {
    if (wish.trajectory().isPresent()) {
      return recover(space, RollBack.toLatest(wish.trajectory().get()), wish.dryRun());
    }
    Optional<Checkpoint> point =
        memory.view(space, view -> view.find(Checkpoint.TABLE, wish.checkpoint().orElseThrow()));
    if (point.isEmpty()) {
      return Recovery.refused("Checkpoint not found", wish.dryRun());
    }
    return point.get().recoverable()
        ? recover(space, RollBack.to(point.get()), wish.dryRun())
        : Recovery.refused("Checkpoint not recoverable", wish.dryRun());
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
  public Assembled dose(SpaceId space, Window window, Persistence persistence) {
    return assembler.dose(space, window, settings().dosage(), persistence);
  }

  @Override
  public Report lint(SpaceId space, Id artifact) {
    Artifact made = memory.view(space, view -> view.artifact(artifact));
    List<Issue> issues = new ArrayList<>(new Linting(settings().lint()).of(made));
    duplicate(space, made)
        .flatMap(
            other ->
                Linting.issue(
                    made,
                    Severity.INFO,
                    IssueType.DUPLICATE,
                    "Near-duplicate of artifact " + other))
        .ifPresent(issues::add);
    return Report.of(issues);
  }

  /** The same bytes elsewhere, or the nearest in meaning. */
  private Optional<String> duplicate(SpaceId space, Artifact made) {
    PcpConfig.Lint lint = settings().lint();
    return lint.enabled() && lint.duplicateDetection()
        ? memory
            .<Optional<String>>view(space, view -> same(view, made, lint.duplicateLimit()))
            .or(() -> parts.search().flatMap(index -> near(index, space, made, lint)))
        : Optional.empty();
  }

  private Optional<String> same(MemoryView view, Artifact made, int limit) {
    return view.artifactsByContent(made.contentHash(), limit).stream()
        .filter(other -> !other.id().equals(made.id()) && other.isLive(now()))
        .map(other -> other.id().toString())
        .findFirst();
  }

  private static Optional<String> near(
      SearchIndex index, SpaceId space, Artifact made, PcpConfig.Lint lint) {
    return made.content()
        .text()
        .map(
            text ->
                SearchQuery.of(space, text, lint.duplicateLimit() + 1)
                    .in(Artifact.TABLE.name())
                    .atLeast(lint.duplicateSimilarity()))
        .flatMap(
            query ->
                index.search(query).hits().stream()
                    .filter(hit -> !hit.key().equals(made.id().toString()))
                    .filter(
                        hit ->
                            hit.similarity().isPresent()
                                && hit.similarity().getAsDouble() >= lint.duplicateSimilarity())
                    .map(hit -> hit.key())
                    .findFirst());
  }

  @Override
  public CleanedUp cleanUp(SpaceId space) {
    long windows = expired(space);
    Orphans ended = memory.tend(space);
    return new CleanedUp(
        ended.trajectories().size(), ended.scopes().size(), Math.max(0, windows - expired(space)));
  }

  private long expired(SpaceId space) {
    Instant now = now();
    return store.read(
        space, snapshot -> snapshot.count(Query.over(Window.TABLE, "expires_at").until(now)));
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
