package dev.caliber.memory.pcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.ForkTrajectory;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.RecordStore;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Context integrity checks on the records of a store. */
final class RecordStoreContextIntegrity implements ContextIntegrity {
  private static final Logger LOG = LoggerFactory.getLogger(RecordStoreContextIntegrity.class);

  private final RecordStore store;
  private final Memory memory;
  private final ContextAssembler assembler;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final RuleBasedTextAnalyzer reader;

  RecordStoreContextIntegrity(
      ContextIntegrityDependencies contextIntegrityDependencies,
      MemoryConfig config,
      MemoryDependencies parts) {
    this.store = contextIntegrityDependencies.store();
    this.memory = contextIntegrityDependencies.memory();
    this.assembler = contextIntegrityDependencies.assembler();
    this.config = config;
    this.parts = parts;
    this.reader = RuleBasedTextAnalyzer.of(config.text());
  }

  private ContextIntegrityConfig settings() {
    return parts.runtime().pcp();
  }

  private Instant now() {
    return parts.clock().instant();
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    jobs.registerHandler(
        CheckpointLedgerJobs.KIND,
        run -> ledgerEffect(run.space(), CheckpointLedgerJobs.checkpointId(run)));
  }

  @Override
  public ValidatedWindow assemble(SpaceId space, AssembleRequest request, boolean dosed) {
    AssembleRequest wish = dosed ? request.withLimits(settings().windowLimits()) : request;
    AssembledWindow made = assembler.assemble(space, wish);
    return toValidatedWindow(made, () -> validate(space, request, made.window()));
  }

  private ValidatedWindow toValidatedWindow(
      AssembledWindow made, Supplier<ValidationReport> looking) {
    boolean always = settings().validation() == ContextIntegrityConfig.ValidationMode.ALWAYS;
    return ValidatedWindow.of(made, always ? Optional.of(looking.get()) : Optional.empty());
  }

  /** Validates; a dry run writes no trace. */
  private ValidationReport validate(SpaceId space, AssembleRequest request, Window window) {
    return request.dryRun()
        ? runValidation(space, looking -> looking.validateWindow(window))
        : validate(space, window);
  }

  @Override
  public ValidationReport validate(SpaceId space, Window window) {
    Instant begun = now();
    ValidationReport validationReport =
        runValidation(space, looking -> looking.validateWindow(window));
    traceValidation(
        space,
        EntityRef.of(EntityType.WINDOW, window.id()),
        window.trajectory(),
        validationReport,
        begun);
    return validationReport;
  }

  @Override
  public ValidationReport validate(SpaceId space, Id trajectory) {
    Instant begun = now();
    ValidationReport validationReport =
        runValidation(space, looking -> looking.validateTrajectory(trajectory));
    traceValidation(
        space,
        EntityRef.of(EntityType.TRAJECTORY, trajectory),
        trajectory,
        validationReport,
        begun);
    return validationReport;
  }

  private ValidationReport runValidation(
      SpaceId space, Function<ContextValidator, ContextValidator.ValidationFindings> look) {
    Instant now = now();
    IssueCollector issueCollector = new IssueCollector(config.limits().list());
    ContextValidator.ValidationFindings validationFindings =
        memory.view(
            space,
            view ->
                look.apply(new ContextValidator(settings(), reader, view, now, issueCollector)));
    ContextValidator.findSimilarFacts(similarArtifactSearch(space), validationFindings, settings())
        .forEach(issueCollector::add);
    return issueCollector.report();
  }

  /** Returns a search as of the newest commit. */
  private SimilarArtifactSearch similarArtifactSearch(SpaceId space) {
    return new SimilarArtifactSearch(parts.search(), space, store.changes().head(space).sequence());
  }

  private void traceValidation(
      SpaceId space,
      EntityRef what,
      Id trajectory,
      ValidationReport validationReport,
      Instant begun) {
    Duration duration = Duration.between(begun, now());
    store.commit(
        space,
        transaction -> {
          transaction.append(
              TraceEvent.TABLE,
              TraceEvent.of(transaction, "validation_run", what, Optional.of(trajectory))
                  .withDetail(validationReport.codeCounts())
                  .withDuration(duration));
        });
  }

  @Override
  public List<ContradictionResolution> resolveContradictions(
      SpaceId space, ValidationReport validationReport) {
    ContradictionResolver contradictionResolver =
        new ContradictionResolver(
            memory,
            config,
            settings().grounding().conflictResolution(),
            parts.runtime().memory().initialNoteConfidence(),
            parts.clock());
    return validationReport.issues().stream()
        .filter(contradictionResolver::canResolve)
        .flatMap(issue -> resolveContradiction(space, contradictionResolver, issue).stream())
        .toList();
  }

  private Optional<ContradictionResolution> resolveContradiction(
      SpaceId space, ContradictionResolver contradictionResolver, Issue issue) {
    return store.write(space, transaction -> contradictionResolver.resolve(transaction, issue));
  }

  @Override
  public Checkpoint saveCheckpoint(SpaceId space, Id trajectory) {
    Checkpoint made = memory.run(space, SaveCheckpoint.of(trajectory));
    saveLedger(space, made.id());
    return withLedgers(space, List.of(made)).getFirst();
  }

  /**
   * Saves the ledger of a checkpoint. If that fails, the checkpoint is kept and says that it has
   * none.
   */
  private void saveLedger(SpaceId space, Id checkpoint) {
    try {
      JobEffect kept = ledgerEffect(space, checkpoint);
      store.commit(
          space,
          transaction -> {
            kept.apply(transaction);
          });
    } catch (CaliberException e) {
      LOG.warn(
          "Checkpoint {} in space {} was saved without a ledger, because saving the ledger failed. Cause: {}",
          checkpoint,
          space,
          e.getMessage());
    }
  }

  /**
   * Computes the ledger of a checkpoint as of its commit; no effect if the checkpoint was deleted
   * or has one.
   */
  private JobEffect ledgerEffect(SpaceId space, Id checkpoint) {
    Optional<Window> window =
        store
            .<Optional<Checkpoint>>read(
                space,
                snapshot ->
                    snapshot
                        .find(Checkpoint.TABLE, checkpoint)
                        .filter(_ -> !CheckpointLedgerStorage.hasLedger(snapshot, checkpoint)))
            .flatMap(point -> findPastWindow(space, point));
    CheckpointLedgerStorage checkpointLedgerStorage =
        new CheckpointLedgerStorage(settings().checkpoints(), config.limits().pageSize());
    return transaction ->
        window.ifPresent(made -> checkpointLedgerStorage.saveLedger(transaction, checkpoint, made));
  }

  /** Returns empty if no window can be assembled: a retry would fail as well. */
  private Optional<Window> findPastWindow(SpaceId space, Checkpoint point) {
    try {
      return Optional.of(pastWindow(space, point));
    } catch (ContextException e) {
      LOG.warn(
          "Checkpoint {} in space {} gets no ledger, because its window could not be assembled. Cause: {}",
          point.id(),
          space,
          e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns the window at a checkpoint: without a query, within the dosage, not saved. */
  private Window pastWindow(SpaceId space, Checkpoint point) {
    return assembler
        .assemble(
            space,
            AssembleRequest.of(point.trajectory())
                .withMaxTokens(settings().windowLimits().maxTokens())
                .withAsOf(point.createdAt())
                .withDryRun())
        .window();
  }

  @Override
  public List<Checkpoint> withLedgers(SpaceId space, List<Checkpoint> checkpoints) {
    return store.read(
        space,
        snapshot ->
            checkpoints.stream()
                .map(
                    point ->
                        point.withLedgerKept(
                            CheckpointLedgerStorage.hasLedger(snapshot, point.id())))
                .toList());
  }

  @Override
  public Window windowAt(SpaceId space, Id checkpoint) {
    Checkpoint point = memory.view(space, view -> view.checkpoint(checkpoint));
    return store
        .read(space, snapshot -> CheckpointLedgerStorage.findWindow(snapshot, checkpoint))
        .orElseGet(() -> pastWindow(space, point));
  }

  @Override
  public RecoveryResult recover(SpaceId space, RecoveryRequest wish) {
    if (wish.trajectory().isPresent()) {
      return recover(
          space, RollBackTrajectory.toLatestCheckpoint(wish.trajectory().get()), wish.dryRun());
    }
    Optional<Checkpoint> point =
        memory.view(space, view -> view.find(Checkpoint.TABLE, wish.checkpoint().orElseThrow()));
    if (point.isEmpty()) {
      return RecoveryResult.refusal(
          MemoryErrorCode.UNKNOWN_RECORD, "There is no such checkpoint", wish.dryRun());
    }
    return point.get().recoverable()
        ? recover(space, RollBackTrajectory.toCheckpoint(point.get()), wish.dryRun())
        : RecoveryResult.refusal(
            MemoryErrorCode.NO_CHECKPOINT_AVAILABLE,
            "The trajectory can no longer return to this checkpoint",
            wish.dryRun());
  }

  private RecoveryResult recover(SpaceId space, RollBackTrajectory back, boolean dryRun) {
    return RecoveryResult.of(memory.run(space, dryRun ? back.asPreview() : back), dryRun);
  }

  @Override
  public Trajectory fork(SpaceId space, Id checkpoint, String goal) {
    Trajectory origin =
        memory.view(space, view -> view.trajectory(view.checkpoint(checkpoint).trajectory()));
    return memory.run(
        space, new ForkTrajectory(checkpoint, StartTrajectory.of(goal, origin.initiator())));
  }

  @Override
  public ValidatedWindow applyLimits(
      SpaceId space, Window window, WindowPersistence windowPersistence) {
    AssembledWindow made =
        assembler.applyLimits(space, window, settings().windowLimits(), windowPersistence);
    return toValidatedWindow(made, () -> validate(space, made.window()));
  }

  @Override
  public ValidationReport lintArtifact(SpaceId space, Id artifact) {
    Instant begun = now();
    Artifact made = memory.view(space, view -> view.artifact(artifact));
    LintReportBuilder lintReportBuilder = newReportBuilder(space, begun);
    lintReportBuilder.addArtifact(made);
    ValidationReport validationReport = lintReportBuilder.report();
    traceValidation(
        space,
        EntityRef.of(EntityType.ARTIFACT, artifact),
        made.trajectory(),
        validationReport,
        begun);
    return validationReport;
  }

  @Override
  public ValidationReport lintTrajectory(SpaceId space, Id trajectory) {
    Instant begun = now();
    memory.view(space, view -> view.trajectory(trajectory));
    LintReportBuilder lintReportBuilder = newReportBuilder(space, begun);
    Page<Artifact> page = artifacts(space, trajectory, Optional.empty());
    lintReportBuilder.addArtifacts(page);
    while (page.next().isPresent()) {
      page = artifacts(space, trajectory, page.next());
      lintReportBuilder.addArtifacts(page);
    }
    ValidationReport validationReport = lintReportBuilder.report();
    traceValidation(
        space,
        EntityRef.of(EntityType.TRAJECTORY, trajectory),
        trajectory,
        validationReport,
        begun);
    return validationReport;
  }

  private Page<Artifact> artifacts(SpaceId space, Id trajectory, Optional<PageCursor> place) {
    return memory.view(space, view -> view.artifacts(trajectory, place));
  }

  private LintReportBuilder newReportBuilder(SpaceId space, Instant at) {
    ContextIntegrityConfig.LintSettings lintSettings = settings().lint();
    return new LintReportBuilder(
        new ArtifactLinter(lintSettings),
        new DuplicateFinder(memory, space, lintSettings, at, similarArtifactSearch(space)),
        new IssueCollector(config.limits().list()),
        at);
  }

  /** Lints the artifacts of one report, a page at a time. */
  private record LintReportBuilder(
      ArtifactLinter linter, DuplicateFinder duplicates, IssueCollector issues, Instant at) {
    void addArtifacts(Page<Artifact> page) {
      page.records().stream().filter(made -> made.isLive(at)).forEach(this::addArtifact);
    }

    void addArtifact(Artifact made) {
      linter.lint(made).forEach(issues::add);
      duplicates.findDuplicate(made).ifPresent(issues::add);
    }

    ValidationReport report() {
      duplicates.incompleteIssue().ifPresent(issues::add);
      return issues.report();
    }
  }

  @Override
  public CleanupCounts runCleanup(SpaceId space) {
    return CleanupCounts.of(memory.runMaintenance(space));
  }

  @Override
  public TrajectoryOverview trajectoryState(SpaceId space, Id trajectory) {
    return memory.view(space, view -> TrajectoryOverview.of(view, trajectory));
  }

  @Override
  public TrajectoryTrace trajectoryTrace(
      SpaceId space, Id trajectory, Optional<String> type, int limit) {
    return memory.view(space, view -> TrajectoryTrace.of(view, trajectory, type, limit));
  }

  @Override
  public ArtifactLineage lineage(SpaceId space, Id artifact) {
    return memory.view(space, view -> ArtifactLineage.of(view, artifact));
  }
}
