package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.EachEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Maintenance of memory: retention, clean-up, notes at the end of a trajectory. */
@EachEngine
class UpkeepContract extends PolicyFixture {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicInteger otherRoom = new AtomicInteger();
  private boolean otherRoomFails;

  @Override
  public MemoryDependencies parts() {
    return super.parts()
        .withCleanup(
            new CleanupStep() {
              @Override
              public String name() {
                return "of another room";
              }

              @Override
              public CleanupProgress clean(Transaction transaction, int batch) {
                if (otherRoomFails) {
                  throw new IllegalStateException("another room is broken");
                }
                return CleanupProgress.uncounted(otherRoom.incrementAndGet() % 2 == 1);
              }
            });
  }

  @Test
  @DisplayName("LIF-16: a failed step stops neither the other steps nor the next clean-up")
  void aFailingStepEndsNothingButItself() {
    Jobs jobs = jobs();
    memory.scheduleJobs(SPACE);
    otherRoomFails = true;
    Trajectory trajectory = start();
    for (int attempt = 0; attempt < 20; attempt++) {
      pass(MemoryConfig.starter().retention().traces());
      jobs.runDue(SPACE);
    }
    assertThat(all(TraceEvent.TABLE))
        .extracting(TraceEvent::type)
        .doesNotContain("trajectory_started");
    otherRoomFails = false;
    pass(MemoryConfig.starter().retention().interval());
    jobs.runDue(SPACE);
    assertThat(otherRoom).hasPositiveValue();
    assertThat(read(trajectory).id()).isEqualTo(trajectory.id());
  }

  @Test
  @DisplayName("POL-02, J-28: turns kept until a time of day are summarised by the clock")
  void compressOnASchedule() {
    deploy(new Retention.CompressionRetention(NIGHTLY));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "The parser fails on tabs.");
    assertThat(scopeOf(trajectory).summary()).isEmpty();
    passTheNight();
    assertThat(scopeOf(trajectory).summary().orElseThrow().text())
        .isEqualTo("The parser fails on tabs.");
  }

  @Test
  @DisplayName("LIF-16, POL-02, POL-06: a batch larger than a page is done in parts")
  void aBatchAboveAPage() {
    memory =
        Memory.of(store, MemoryConfig.starter().with("memory.retention.batch = 10000"), parts());
    deploy(
        NIGHTLY,
        new PolicyAction.CheckpointAction(SCOPES),
        new PolicyAction.PruneAction(TURNS, new PruneCriteria.AgeCriteria(Duration.ZERO)));
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    say(scope, "goes");
    passTheNight();
    assertThat(all(Checkpoint.TABLE)).isNotEmpty();
    assertThat(memory.summarizedTurns(SPACE, scope.id())).hasSize(1).noneMatch(Turn::isLive);
    pass(MemoryConfig.starter().retention().traces().plusSeconds(1));
    assertThat(memory.runMaintenance(SPACE).orphans().trajectories())
        .containsExactly(trajectory.id());
    assertThat(all(TraceEvent.TABLE))
        .extracting(TraceEvent::type)
        .doesNotContain("trajectory_started");
  }

  @Test
  @DisplayName("J-12: artifacts become notes at the end of a trajectory only if the setting is on")
  void consolidationAtTheEnd() {
    decideAndEnd(memory, "We decided to use SQLite.");
    assertThat(all(Note.TABLE)).isEmpty();
    assertThat(all(PolicyRun.TABLE)).isEmpty();
    Trajectory ended = decideAndEnd(consolidating(), "We decided to use Lucene.");
    assertThat(all(Note.TABLE))
        .singleElement()
        .satisfies(
            note -> {
              assertThat(note.type()).isEqualTo(NoteType.STRATEGY);
              assertThat(note.content()).contains("Lucene");
              assertThat(note.sources()).containsExactly(ended.id());
            });
    assertThat(all(PolicyRun.TABLE)).singleElement().matches(PolicyRun::isDone);
  }

  @Test
  @DisplayName("J-12: after a crash at the end of a trajectory the job makes the notes, once")
  void consolidationAfterACrash() {
    Memory consolidating = consolidating();
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "We decided to use SQLite.");
    store.write(
        SPACE,
        transaction ->
            consolidating.run(transaction, EndTrajectory.complete(trajectory.id(), "Done")));
    assertThat(all(Note.TABLE)).isEmpty();
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    consolidating.registerJobHandlers(jobs);
    jobs.runDue(SPACE);
    jobs.runDue(SPACE);
    assertThat(all(Note.TABLE)).singleElement().matches(note -> note.version() == 1);
    assertThat(all(Jobs.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("J-12: an artifact that cannot be a note is skipped and traced, and stops no policy")
  void whatCannotBeANoteIsLeftOut() {
    deploy(on(Trigger.TrajectoryTriggerEvent.TASK_END), notify("my-end"));
    Trajectory trajectory = start();
    decide(scopeOf(trajectory), "We use SQLite.");
    Artifact refused = decide(run(new OpenScope(trajectory.id())), "We use \0.");
    decide(run(new OpenScope(trajectory.id())), "We use Lucene.");
    consolidating().run(SPACE, EndTrajectory.complete(trajectory.id(), "Done"));
    assertThat(all(Note.TABLE))
        .allMatch(note -> note.entity().equals(PLANNER.id()))
        .extracting(Note::content)
        .containsExactlyInAnyOrder("We use SQLite.", "We use Lucene.");
    assertThat(memory.<List<TraceEvent>>view(SPACE, view -> view.trace("consolidation_skipped", 9)))
        .extracting(TraceEvent::record)
        .containsExactly(EntityRef.of(EntityType.ARTIFACT, refused.id()));
    assertThat(heard()).containsExactly("caliber_my-end");
  }

  /** Creates a decision whose metadata names no entity. */
  private Artifact decide(Scope scope, String words) {
    NewArtifact wish =
        NewArtifact.of(
                scope.id(),
                ArtifactType.DESIGN_DECISION,
                Bytes.of(words.getBytes(StandardCharsets.UTF_8)))
            .withLabels(Labels.none().withMetadata("about", " "));
    return run(CreateArtifacts.of(wish)).getFirst();
  }

  private Memory consolidating() {
    return Memory.of(
        store, MemoryConfig.starter().with("memory.consolidation.at-task-end = true"), parts());
  }

  private Trajectory decideAndEnd(Memory by, String words) {
    Trajectory trajectory = start();
    say(scopeOf(trajectory), words);
    return by.run(SPACE, EndTrajectory.complete(trajectory.id(), "Done"));
  }

  @Test
  @DisplayName(
      "LIF-10, J-28: turns with scope retention are archived at the close, with session retention at the end")
  void retentionOfTurns() {
    deploy(new Retention.ScopeRetention());
    Trajectory one = start();
    Scope scope = scopeOf(one);
    say(scope, "x");
    run(CloseScope.of(scope.id()));
    assertThat(memory.summarizedTurns(SPACE, scope.id())).noneMatch(Turn::isLive);
    deploy(new Retention.SessionRetention());
    Trajectory two = start();
    say(scopeOf(two), "y");
    run(CloseScope.of(scopeOf(two).id()));
    assertThat(memory.summarizedTurns(SPACE, two.id())).allMatch(Turn::isLive);
    run(EndTrajectory.complete(two.id(), ""));
    assertThat(memory.summarizedTurns(SPACE, two.id())).noneMatch(Turn::isLive);
  }

  @Test
  @DisplayName("J-28: turns kept until compression are summarised by the trigger")
  void compressOn() {
    deploy(new Retention.CompressionRetention(on(Trigger.TrajectoryTriggerEvent.TURN)));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "The parser fails on tabs.");
    assertThat(scopeOf(trajectory).summary()).isPresent();
  }

  @Test
  @DisplayName("LIF-16, J-28: clean-up removes expired records, and nothing else")
  void cleanUp() {
    MemoryConfig.RetentionSettings rules = MemoryConfig.starter().retention();
    Trajectory trajectory =
        run(StartTrajectory.of("Talk", EntityRef.of(EntityType.SUBJECT, "alice")));
    Scope scope = scopeOf(trajectory);
    run(
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("short"))
                .withTtl(Ttl.of(MINUTE))));
    Artifact ever = make(scope, "ever");
    memory.forget(SPACE, ForgetRecords.of(learn("secret").id()));
    pass(rules.traces().plus(rules.tombstones()).plus(rules.expiredArtifacts()).plus(MINUTE));
    memory.runMaintenance(SPACE);
    assertThat(all(Artifact.TABLE)).extracting(Artifact::id).containsExactly(ever.id());
    assertThat(all(TraceEvent.TABLE)).extracting(TraceEvent::type).containsOnly("record_removed");
    assertThat(all(Notice.TABLE)).isEmpty();
    assertThat(all(Tombstone.TABLE)).isEmpty();
    assertThat(read(trajectory).status()).isEqualTo(TrajectoryStatus.ACTIVE);
    assertThat(otherRoom).hasValue(2);
  }

  @Test
  void cleanUpComesRoundByItself() {
    Jobs jobs = jobs();
    memory.scheduleJobs(SPACE);
    memory.scheduleJobs(SPACE);
    for (int round = 1; round <= 3; round++) {
      clock.advance(MemoryConfig.starter().retention().interval());
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
      assertThat(otherRoom).hasValue(2 * round);
    }
  }
}
