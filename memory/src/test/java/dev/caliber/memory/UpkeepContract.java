package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PruneCriteria;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Notice;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Tombstone;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What memory does by itself to stay in shape: retention, clean-up, notes at the end of a task. */
abstract class UpkeepContract extends PolicyFixture {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicInteger otherRoom = new AtomicInteger();
  private boolean otherRoomFails;

  @Override
  MemoryParts parts() {
    return super.parts()
        .withCleanup(
            new CleanupStep() {
              @Override
              public String name() {
                return "of another room";
              }

              @Override
              public Cleaned clean(Transaction transaction, int batch) {
                if (otherRoomFails) {
                  throw new IllegalStateException("another room is broken");
                }
                return Cleaned.uncounted(otherRoom.incrementAndGet() % 2 == 1);
              }
            });
  }

  @Test
  @DisplayName("LIF-16: clean-up that fails ends neither the other steps nor the next clean-up")
  void aFailingStepEndsNothingButItself() {
    Jobs jobs = jobs();
    memory.arm(SPACE);
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
    deploy(new Retention.CompressOn(NIGHTLY));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "The parser fails on tabs.");
    assertThat(scopeOf(trajectory).summary()).isEmpty();
    passTheNight();
    assertThat(scopeOf(trajectory).summary().orElseThrow().text())
        .isEqualTo("The parser fails on tabs.");
  }

  @Test
  @DisplayName("LIF-16, POL-02, POL-06: a batch of more than the store reads at once goes in parts")
  void aBatchAboveAPage() {
    MemoryConfig starter = MemoryConfig.starter();
    memory =
        Memory.of(
            store,
            starter.withRetention(starter.retention().withBatch(MemoryBounds.MAX_PAGE)),
            parts());
    deploy(
        NIGHTLY,
        new PolicyAction.Checkpoint(SCOPES),
        new PolicyAction.Prune(TURNS, new PruneCriteria.OlderThan(Duration.ZERO)));
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    say(scope, "goes");
    passTheNight();
    assertThat(all(Checkpoint.TABLE)).isNotEmpty();
    assertThat(memory.uncompact(SPACE, scope.id())).hasSize(1).noneMatch(Turn::isLive);
    pass(starter.retention().traces().plusSeconds(1));
    assertThat(memory.tend(SPACE).orphans().trajectories()).containsExactly(trajectory.id());
    assertThat(all(TraceEvent.TABLE))
        .extracting(TraceEvent::type)
        .doesNotContain("trajectory_started");
  }

  @Test
  @DisplayName(
      "J-12: what a task leaves becomes notes at its end where that is set, and only there")
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
  @DisplayName("J-12: a task that a crash cut off at its end becomes notes by its job, once")
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
    consolidating.attach(jobs);
    jobs.runDue(SPACE);
    jobs.runDue(SPACE);
    assertThat(all(Note.TABLE)).singleElement().matches(note -> note.version() == 1);
    assertThat(all(Jobs.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("J-12: what cannot be a note is left out and traced, and holds up no policy")
  void whatCannotBeANoteIsLeftOut() {
    deploy(on(Trigger.Event.TASK_END), notify("my-end"));
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

  /** About nobody, as it says. */
  private Artifact decide(Scope scope, String words) {
    CreateArtifact wish =
        CreateArtifact.of(
                scope.id(),
                ArtifactType.DESIGN_DECISION,
                Bytes.of(words.getBytes(StandardCharsets.UTF_8)))
            .labelled(Labels.none().with("about", " "));
    return run(CreateArtifacts.of(wish)).getFirst();
  }

  private Memory consolidating() {
    MemoryConfig starter = MemoryConfig.starter();
    return Memory.of(
        store,
        starter.withNotes(starter.notes().with(starter.notes().consolidation().madeAtTaskEnd())),
        parts());
  }

  private Trajectory decideAndEnd(Memory by, String words) {
    Trajectory trajectory = start();
    say(scopeOf(trajectory), words);
    return by.run(SPACE, EndTrajectory.complete(trajectory.id(), "Done"));
  }

  @Test
  @DisplayName(
      "LIF-10, J-28: turns kept for the scope leave at its close, for the session at the end")
  void retentionOfTurns() {
    deploy(new Retention.Scope());
    Trajectory one = start();
    Scope scope = scopeOf(one);
    say(scope, "x");
    run(CloseScope.of(scope.id()));
    assertThat(memory.uncompact(SPACE, scope.id())).noneMatch(Turn::isLive);
    deploy(new Retention.Session());
    Trajectory two = start();
    say(scopeOf(two), "y");
    run(CloseScope.of(scopeOf(two).id()));
    assertThat(memory.uncompact(SPACE, two.id())).allMatch(Turn::isLive);
    run(EndTrajectory.complete(two.id(), ""));
    assertThat(memory.uncompact(SPACE, two.id())).noneMatch(Turn::isLive);
  }

  @Test
  @DisplayName("J-28: turns kept until compression are summarised by the trigger")
  void compressOn() {
    deploy(new Retention.CompressOn(on(Trigger.Event.TURN)));
    Trajectory trajectory = start();
    say(scopeOf(trajectory), "The parser fails on tabs.");
    assertThat(scopeOf(trajectory).summary()).isPresent();
  }

  @Test
  @DisplayName("LIF-16, J-28: clean-up removes what has had its time, and nothing else")
  void cleanUp() {
    MemoryConfig.Retention rules = MemoryConfig.starter().retention();
    Trajectory trajectory =
        run(StartTrajectory.of("Talk", EntityRef.of(EntityType.SUBJECT, "alice")));
    Scope scope = scopeOf(trajectory);
    run(
        CreateArtifacts.of(
            CreateArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("short"))
                .living(Ttl.of(MINUTE))));
    Artifact ever = make(scope, "ever");
    memory.forget(SPACE, Forget.of(learn("secret").id()));
    pass(rules.traces().plus(rules.tombstones()).plus(rules.expired()).plus(MINUTE));
    memory.tend(SPACE);
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
    memory.arm(SPACE);
    memory.arm(SPACE);
    for (int round = 1; round <= 3; round++) {
      clock.advance(MemoryConfig.starter().retention().interval());
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
      assertThat(otherRoom).hasValue(2 * round);
    }
  }
}
