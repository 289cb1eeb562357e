package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.embed.CachedEmbedding;
import dev.caliber.store.search.embed.EmbeddingCache;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Recovery, dosage and debug views. */
@EachEngine
class RecoveryContract extends GuardianFixture {
  private static final Id UNKNOWN = Id.derivedFrom("test", "unknown");
  private static final WindowPersistence PERMANENT = new WindowPersistence.PermanentPersistence();

  @Test
  @DisplayName("REC-01, OBS-03: a wish for nothing and a negative number of events are refused")
  void wishesThatCannotBe() {
    Trajectory task = tell(1);
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> new RecoveryRequest(Optional.empty(), Optional.empty(), false));
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> new RecoveryRequest(Optional.of(task.id()), Optional.of(task.id()), false));
    refuses(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        () -> guardian.trajectoryTrace(SPACE, task.id(), Optional.empty(), -1));
  }

  @Test
  @DisplayName("REC-01, J-38: an unknown checkpoint and one that is not recoverable")
  void refusals() {
    RecoveryResult unknown = guardian.recover(SPACE, RecoveryRequest.toCheckpoint(UNKNOWN));
    assertThat(unknown.reason()).contains("There is no such checkpoint");
    assertThat(unknown.code()).contains(MemoryErrorCode.UNKNOWN_RECORD.text());
    Checkpoint made = checkpoint(tell(1));
    Checkpoint dead =
        new Checkpoint(
            made.id(),
            made.trajectory(),
            made.scope(),
            made.sequence(),
            made.status(),
            made.scopes(),
            made.activeScope(),
            made.turns(),
            made.window(),
            false,
            made.createdAt(),
            Optional.empty());
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(Checkpoint.TABLE, dead);
        });
    RecoveryResult refused = guardian.recover(SPACE, RecoveryRequest.toCheckpoint(made.id()));
    assertThat(refused.success()).isFalse();
    assertThat(refused.reason()).contains("The trajectory can no longer return to this checkpoint");
    assertThat(refused.code()).contains(MemoryErrorCode.NO_CHECKPOINT_AVAILABLE.text());
  }

  @Test
  @DisplayName("REC-02, REC-03: no checkpoint, and an ended task")
  void thatCannotBe() {
    Trajectory task = tell(1);
    assertThat(
            catchThrowableOfType(
                    CaliberException.class,
                    () -> guardian.recover(SPACE, RecoveryRequest.toLatest(task.id())))
                .code())
        .isEqualTo(MemoryErrorCode.NO_CHECKPOINT_AVAILABLE);
    Checkpoint made = checkpoint(task);
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    assertThat(
            catchThrowableOfType(
                    CaliberException.class,
                    () -> guardian.recover(SPACE, RecoveryRequest.toCheckpoint(made.id())))
                .code())
        .isEqualTo(KernelErrorCode.INVALID_STATE_TRANSITION);
  }

  @Test
  @DisplayName("REC-02, REC-04, REC-06, REC-07, J-38: a dry run, then the way back, told alike")
  void recovers() {
    Trajectory task = tell(3);
    Checkpoint point = checkpoint(task);
    Turn astray = say(task, "Let us go astray.");
    memory.run(SPACE, new OpenScope(task.id()));
    say(task, "Further and further.");
    pass(Duration.ofMinutes(1));
    RecoveryResult would =
        guardian.recover(SPACE, RecoveryRequest.toCheckpoint(point.id()).withDryRun());
    assertThat(would.dryRun()).isTrue();
    assertThat(assemble(task).text()).contains("Further and further.");
    RecoveryResult done = guardian.recover(SPACE, RecoveryRequest.toCheckpoint(point.id()));
    RollBackResult told = done.done().orElseThrow();
    assertThat(told.turns()).isEqualTo(would.done().orElseThrow().turns()).contains(astray.id());
    assertThat(told.scopes()).isEqualTo(would.done().orElseThrow().scopes()).hasSize(1);
    assertThat(told.restoredTo()).isEqualTo(point.createdAt());
    assertThat(told.newScope()).contains(scopeOf(task).id());
    pass(Duration.ofMinutes(1));
    assertThat(assemble(task).text())
        .isEqualTo(assembler.replay(SPACE, guardian.windowAt(SPACE, point.id())));
    assertThat(memory.<Turn>view(SPACE, view -> view.turn(astray.id())).searchableText())
        .isEqualTo("Let us go astray.");
    assertThat(guardian.recover(SPACE, RecoveryRequest.toLatest(task.id())).success()).isTrue();
  }

  @Test
  @DisplayName("PCP-13: a fork goes on from a checkpoint, and its origin stays as it is")
  void forks() {
    Trajectory task = tell(3);
    Checkpoint point = checkpoint(task);
    say(task, "The origin goes on.");
    Trajectory fork = guardian.fork(SPACE, point.id(), "Another way");
    pass(Duration.ofMinutes(1));
    assertThat(fork.parent()).contains(task.id());
    assertThat(assemble(fork).text())
        .isEqualTo(assembler.replay(SPACE, guardian.windowAt(SPACE, point.id())));
    assertThat(assemble(task).text()).contains("The origin goes on.");
  }

  private static ContextIntegrityConfig.WindowLimits dosage(
      int tokens, int scopes, int artifacts, int notes) {
    return limited(tokens, scopes, artifacts, notes).windowLimits();
  }

  private static ContextIntegrityConfig limited(int tokens, int scopes, int artifacts, int notes) {
    return with(
        "pcp.window-limits.max-tokens = " + tokens,
        "pcp.window-limits.max-scopes = " + scopes,
        "pcp.window-limits.max-artifacts = " + artifacts,
        "pcp.window-limits.max-notes = " + notes);
  }

  private static long in(Window window, SourceKind kind) {
    return window.ledger().stream()
        .filter(line -> line.decision().isIncluded() && line.candidate().kind() == kind)
        .count();
  }

  /** Writes three closed scopes, three artifacts, three notes and a conversation. */
  private Trajectory full() {
    Trajectory task = start();
    for (int i = 0; i < 3; i++) {
      say(task, "The scope number %d is about zebras.".formatted(i));
      fact(task, "Fact number %d holds.".formatted(i), 0.9);
      memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
      memory.run(SPACE, new OpenScope(task.id()));
      memory.run(
          SPACE,
          WriteNote.of("zebra " + i, "animal", NoteType.FACT, "Zebra %d sleeps.".formatted(i)));
    }
    say(task, "What do we know?");
    return task;
  }

  @Test
  @DisplayName("PCP-16, J-37, J-50: a window within all limits stays the same")
  void withinTheDosage() {
    AssembledWindow made = assemble(full());
    assertThat(guardian.applyLimits(SPACE, made.window(), PERMANENT).assembledWindow())
        .isEqualTo(made);
  }

  @Test
  @DisplayName("PCP-16, PCP-17, PCP-18, PCP-19, PCP-03, J-37: four limits, greedy by priority")
  void dosed() {
    AssembledWindow made = assemble(full());
    use(limited(8000, 1, 1, 2));
    AssembledWindow counted =
        guardian.applyLimits(SPACE, made.window(), PERMANENT).assembledWindow();
    assertThat(counted.window().id()).isNotEqualTo(made.window().id());
    assertThat(counted.window().maxTokens()).isEqualTo(made.window().maxTokens());
    assertThat(in(counted.window(), SourceKind.SCOPE)).isEqualTo(1);
    assertThat(in(counted.window(), SourceKind.ARTIFACT)).isEqualTo(1);
    assertThat(in(counted.window(), SourceKind.NOTE)).isEqualTo(2);
    assertThat(counted.window().ledger())
        .filteredOn(line -> line.rule().equals("window_limit"))
        .hasSize(5)
        .allMatch(line -> line.decision() == InclusionDecision.EXCLUDE && line.fullTokens() > 0)
        .extracting(LedgerLine::reason)
        .contains("A window has at most 2 items of this kind (pcp.window-limits.max-notes)");
    assertThat(assembler.replay(SPACE, assembler.window(SPACE, counted.window().id())))
        .isEqualTo(counted.text());
    use(limited(120, 10, 10, 10));
    Window small = guardian.applyLimits(SPACE, made.window(), PERMANENT).window();
    assertThat(small.usedTokens()).isLessThanOrEqualTo(120);
    assertThat(WindowExplanation.of(small).budget().total()).isEqualTo(120);
    assertThat(small.ledger())
        .filteredOn(line -> line.rule().equals("budget_limit"))
        .isNotEmpty()
        .allMatch(line -> line.reason().contains("/120 tokens of pcp.window-limits.max-tokens)"));
    assertThat(in(small, SourceKind.TURN)).isEqualTo(1);
    assertThat(guardian.applyLimits(SPACE, small, PERMANENT).window()).isEqualTo(small);
  }

  private long assemblies(Trajectory task) {
    return guardian
        .trajectoryTrace(SPACE, task.id(), Optional.of("context_assembled"), 100)
        .events()
        .size();
  }

  @Test
  @DisplayName("PCP-16, PCP-18, J-37: a window is dosed as it is made: one window, one trace")
  void dosedFromTheStart() {
    use(limited(8000, 1, 1, 2));
    Trajectory task = full();
    AssembledWindow dry =
        guardian.assemble(SPACE, AssembleRequest.of(task.id()).withDryRun()).assembledWindow();
    assertThat(dry.window().isWithin(dosage(8000, 1, 1, 2))).isTrue();
    assertThat(assemblies(task)).isZero();
    Duration hour = Duration.ofHours(1);
    Window kept =
        guardian
            .assemble(
                SPACE,
                AssembleRequest.of(task.id())
                    .withPersistence(new WindowPersistence.DurationPersistence(hour)))
            .assembledWindow()
            .window();
    assertThat(kept.ledger()).isEqualTo(dry.window().ledger());
    assertThat(kept.expiresAt()).contains(kept.assembledAt().plus(hour));
    assertThat(assembler.windows(SPACE, task.id(), 10)).containsExactly(kept);
    assertThat(assembler.replay(SPACE, kept)).isEqualTo(dry.text());
    assertThat(assemblies(task)).isEqualTo(1);
    guardian.assemble(
        SPACE,
        AssembleRequest.of(task.id())
            .withPersistence(new WindowPersistence.EphemeralPersistence()));
    assertThat(assembler.windows(SPACE, task.id(), 10)).containsExactly(kept);
    assertThat(assemblies(task)).isEqualTo(2);
  }

  @Test
  @DisplayName("PCP-16, J-37, J-50: a window that is dosed later is kept as asked")
  void dosedLater() {
    Trajectory task = full();
    AssembledWindow made = assemble(task);
    use(limited(8000, 1, 1, 2));
    ValidatedWindow small =
        guardian.applyLimits(SPACE, made.window(), new WindowPersistence.EphemeralPersistence());
    assertThat(small.window().isWithin(dosage(8000, 1, 1, 2))).isTrue();
    assertThat(assembler.windows(SPACE, task.id(), 10)).containsExactly(made.window());
    Duration hour = Duration.ofHours(1);
    Window kept =
        guardian
            .applyLimits(SPACE, made.window(), new WindowPersistence.DurationPersistence(hour))
            .window();
    assertThat(kept.expiresAt()).contains(kept.assembledAt().plus(hour));
    assertThat(assembler.windows(SPACE, task.id(), 10)).contains(kept).hasSize(2);
  }

  @Test
  @DisplayName(
      "PCP-17, PCP-03: what does not fit is compressed to its ratio, critical things are not")
  void compressed() {
    Trajectory task = start();
    say(task, "The zebra sleeps standing and dreams of grass. ".repeat(60));
    Window whole = assemble(task).window();
    List<Integer> tokens = new ArrayList<>();
    for (int critical : List.of(0, 100)) {
      use(
          with(
              "pcp.window-limits.max-tokens = 600",
              "pcp.window-limits.max-artifacts = 5",
              "pcp.window-limits.max-notes = 5",
              "pcp.window-limits.critical-priority = " + critical,
              "pcp.window-limits.compression-ratio = 0.25"));
      LedgerLine line = guardian.applyLimits(SPACE, whole, PERMANENT).window().ledger().getFirst();
      assertThat(line.decision()).isIn(InclusionDecision.COMPRESS, InclusionDecision.TRUNCATE);
      tokens.add(line.tokens());
      if (critical == 100) {
        assertThat(line.tokens()).isLessThanOrEqualTo(line.fullTokens() / 4);
      }
    }
    assertThat(tokens.getFirst()).isGreaterThan(tokens.getLast());
  }

  @Test
  @DisplayName(
      "REC-10, REC-11, REC-12, STO-07, J-40: clean-up counts what it ends and removes, once")
  void cleansUp() {
    index();
    Trajectory orphan = tell(1);
    Trajectory other = tell(1);
    embed();
    keepVectorOfNobody();
    assembler.assemble(
        SPACE,
        AssembleRequest.of(orphan.id())
            .withPersistence(new WindowPersistence.DurationPersistence(Duration.ofMinutes(1))));
    pass(SearchConfig.starter().embedding().cacheRetention().plusSeconds(1));
    assertThat(guardian.runCleanup(SPACE)).isEqualTo(new CleanupCounts(2, 0, 1, 0, 0, 1));
    assertThat(guardian.runCleanup(SPACE)).isEqualTo(new CleanupCounts(0, 0, 0, 0, 0, 0));
    assertThat(memory.<Trajectory>view(SPACE, view -> view.trajectory(other.id())).status())
        .isEqualTo(TrajectoryStatus.FAILED);
  }

  private void keepVectorOfNobody() {
    CachedEmbedding left =
        new CachedEmbedding(
            "a text", "a former model", clock.instant(), Optional.empty(), new float[] {1});
    store.commit(
        SPACE,
        transaction -> {
          EmbeddingCache.insert(transaction, left, 1);
        });
  }

  /** Returns a task in which every kind of event has happened once. */
  private Trajectory eventful() {
    Trajectory task = tell(2);
    NewTurn answer = NewTurn.assistant("So it is.").withModel("gpt-4o", 7);
    memory.run(SPACE, AppendTurns.of(scopeOf(task).id(), answer));
    fact(task, "A fact.", 0.9);
    memory.run(
        SPACE,
        WriteNote.of("zebra", "animal", NoteType.FACT, "Zebras sleep.").withSource(task.id()));
    runPolicy(task);
    assemble(task);
    guardian.validate(SPACE, task.id());
    checkpoint(task);
    guardian.recover(SPACE, RecoveryRequest.toLatest(task.id()));
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    return task;
  }

  @Test
  @DisplayName("OBS-01, OBS-02, OBS-05: every operation leaves its event, with its duration")
  void story() {
    Trajectory task = eventful();
    TrajectoryTrace trajectoryTrace =
        guardian.trajectoryTrace(SPACE, task.id(), Optional.empty(), 1000);
    assertThat(trajectoryTrace.events())
        .extracting(TraceEvent::type)
        .contains(
            "trajectory_started",
            "trajectory_completed",
            "scope_opened",
            "scope_closed",
            "artifact_created",
            "artifact_retrieved",
            "note_written",
            "note_retrieved",
            "context_assembled",
            "context_injected",
            "checkpoint_saved",
            "checkpoint_recovered",
            "policy_executed",
            "validation_run");
    for (String timed :
        List.of(
            "context_assembled",
            "context_injected",
            "checkpoint_saved",
            "checkpoint_recovered",
            "policy_executed",
            "validation_run")) {
      assertThat(trajectoryTrace.events())
          .filteredOn(event -> event.type().equals(timed))
          .allMatch(event -> event.durationMs().isPresent());
    }
    assertThat(guardian.trajectoryTrace(SPACE, task.id(), Optional.of("scope_opened"), 1).events())
        .hasSize(1);
  }

  @Test
  @DisplayName("OBS-03: the summary of a story agrees with its events and turns")
  void storyInNumbers() {
    Trajectory task = eventful();
    TrajectoryTrace trajectoryTrace =
        guardian.trajectoryTrace(SPACE, task.id(), Optional.empty(), 1000);
    Duration lasted =
        Duration.between(
            trajectoryTrace.events().getLast().time(), trajectoryTrace.events().getFirst().time());
    long said =
        memory.<List<Turn>>view(SPACE, view -> view.turns(task.id(), 0, 10)).stream()
            .filter(turn -> turn.role() == TurnRole.USER)
            .mapToLong(Turn::tokens)
            .sum();
    assertThat(lasted).isPositive();
    assertThat(said).isPositive();
    assertThat(trajectoryTrace.summary())
        .isEqualTo(
            new TrajectoryTrace.TraceSummary(
                trajectoryTrace.events().size(),
                true,
                lasted.toMillis(),
                2,
                1,
                1,
                1,
                said,
                7,
                trajectoryTrace.events().stream()
                    .filter(e -> e.type().equals("checkpoint_saved"))
                    .count(),
                1));
  }

  @Test
  @DisplayName("OBS-05: a story that is longer than a list may be is told from its end")
  void longStories() {
    Trajectory task = eventful();
    int most = 6;
    use(MemoryConfig.starter().with("memory.limits.list = " + most));
    TrajectoryTrace trajectoryTrace =
        guardian.trajectoryTrace(SPACE, task.id(), Optional.empty(), 4);
    assertThat(trajectoryTrace.events()).hasSize(4);
    assertThat(trajectoryTrace.summary().events()).isEqualTo(most);
    assertThat(trajectoryTrace.summary().complete()).isFalse();
  }

  @Test
  @DisplayName("OBS-04: how a trajectory stands")
  void state() {
    Trajectory task = tell(1);
    fact(task, "A fact.", 0.9);
    checkpoint(task);
    TrajectoryOverview state = guardian.trajectoryState(SPACE, task.id());
    assertThat(state.scopes()).hasSize(1);
    assertThat(state.activeScope()).contains(state.scopes().getFirst());
    assertThat(state.artifactCount()).isEqualTo(1);
    assertThat(state.noteCount()).isZero();
    assertThat(state.checkpointCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("OBS-07, J-58: where an artifact comes from and what became of it, both ways")
  void lineage() {
    Trajectory task = tell(1);
    Artifact first = fact(task, "first", 0.9);
    Artifact second = replace(task, first, "second");
    Artifact third = replace(task, second, "third");
    ArtifactLineage artifactLineage = guardian.lineage(SPACE, second.id());
    assertThat(artifactLineage.predecessors()).containsExactly(first.id());
    assertThat(artifactLineage.successors()).containsExactly(third.id());
    assertThat(artifactLineage.supersededBy()).contains(third.id());
    assertThat(guardian.lineage(SPACE, third.id()).predecessors())
        .containsExactly(second.id(), first.id());
    assertThat(guardian.lineage(SPACE, third.id()).successors()).isEmpty();
  }

  @Test
  @DisplayName("OBS-07: a lineage says the scope, the task and the source of its artifact")
  void lineageSaysItsPlace() {
    Trajectory task = tell(1);
    Artifact made = fact(task, "first", 0.9);
    ArtifactLineage artifactLineage = guardian.lineage(SPACE, made.id());
    assertThat(artifactLineage.artifact()).isEqualTo(made);
    assertThat(artifactLineage.scope()).isEqualTo(scopeOf(task).id());
    assertThat(artifactLineage.trajectory()).isEqualTo(task.id());
    assertThat(artifactLineage.provenance()).isEqualTo(made.provenance());
    assertThat(artifactLineage.provenance().confidence()).contains(0.9);
    assertThat(artifactLineage.supersededBy()).isEmpty();
  }

  @Test
  @DisplayName("OBS-07, J-58: a lineage ends where artifacts took each other's place in a circle")
  void lineageEndsOnCycles() {
    Trajectory task = tell(1);
    Artifact first = fact(task, "first", 0.9);
    Artifact second = replace(task, first, "second");
    Artifact third = replace(task, second, "third");
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(Artifact.TABLE, replacedBy(third, first.id()));
        });
    ArtifactLineage artifactLineage = guardian.lineage(SPACE, first.id());
    assertThat(artifactLineage.successors()).containsExactly(second.id(), third.id());
    assertThat(artifactLineage.predecessors()).containsExactly(third.id(), second.id());
  }

  /** Returns an artifact that no command writes. */
  private static Artifact replacedBy(Artifact old, Id other) {
    ObjectNode told = (ObjectNode) Json.mapper().readTree(Json.text(old));
    return Json.read(told.put("superseded_by", other.toString()).toString(), Artifact.class);
  }

  private Artifact replace(Trajectory task, Artifact old, String content) {
    return memory.run(
        SPACE,
        new SupersedeArtifact(
            old.id(), NewArtifact.of(scopeOf(task).id(), ArtifactType.FACT, Bytes.of(content))));
  }
}
