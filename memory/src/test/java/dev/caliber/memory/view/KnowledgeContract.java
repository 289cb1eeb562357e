package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndNote;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Artifacts and notes, on every engine. */
@EachEngine
class KnowledgeContract extends MemoryFixture {

  private Artifact make(Scope scope, String content, ArtifactType type, Ttl ttl) {
    return run(CreateArtifacts.of(NewArtifact.of(scope.id(), type, Bytes.of(content)).withTtl(ttl)))
        .getFirst();
  }

  private boolean isLive(Artifact artifact) {
    return memory.view(SPACE, view -> view.artifact(artifact.id())).isLive(clock.instant());
  }

  @Test
  @DisplayName(
      "LIF-11, MEM-04, MEM-13, STO-26, J-11: an artifact is stored byte for byte under its SHA-256")
  void artifactsAreBinarySafe() {
    Scope scope = scopeOf(start());
    Bytes content = Bytes.of(new byte[] {0, -1, 13, 10, 127, -128});
    Artifact made =
        run(CreateArtifacts.of(NewArtifact.of(scope.id(), ArtifactType.CUSTOM, content)))
            .getFirst();
    assertThat(made.contentHash()).isEqualTo(content.hash()).hasSize(64);
    assertThat(memory.<Artifact>view(SPACE, view -> view.artifact(made.id()))).isEqualTo(made);
  }

  @Test
  @DisplayName(
      "MEM-14, STO-03, STO-34: artifacts of every type are found by type, scope and trajectory")
  void artifactsAreFound() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    for (ArtifactType type : ArtifactType.values()) {
      make(scope, type.name(), type, Ttl.persistent());
    }
    for (ArtifactType type : ArtifactType.values()) {
      assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifacts(trajectory.id(), type)))
          .extracting(Artifact::type)
          .containsExactly(type);
    }
    int all = ArtifactType.values().length;
    assertThat(memory.<Long>view(SPACE, view -> view.countArtifacts(trajectory.id())))
        .isEqualTo(all);
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifactsOfScope(scope.id())))
        .hasSize(all);
  }

  @Test
  @DisplayName(
      "STO-03, J-18: an artifact is found by its hash, in its trajectory and while it lives")
  void artifactsAreFoundByHash() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact made = make(scope, "fact");
    Trajectory other = start();
    assertThat(byHash(trajectory, made.contentHash())).contains(made.id());
    assertThat(byHash(other, made.contentHash())).isEmpty();
    assertThat(byHash(trajectory, "0".repeat(64))).isEmpty();
    Artifact better =
        run(
            new SupersedeArtifact(
                made.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("better"))));
    assertThat(byHash(trajectory, made.contentHash())).isEmpty();
    assertThat(byHash(trajectory, better.contentHash())).contains(better.id());
  }

  private Optional<Id> byHash(Trajectory trajectory, String hash) {
    return memory
        .<Optional<Artifact>>view(SPACE, view -> view.artifactByHash(trajectory.id(), hash))
        .map(Artifact::id);
  }

  @Test
  @DisplayName(
      "LIF-12, MEM-15, J-18: the same content makes no second row and no event; provenance is merged")
  void theSameContentIsStoredOnce() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact first = make(scope, "fact");
    FeedCursor head = store.changes().head(SPACE);
    Provenance again =
        new Provenance(Optional.of(3), ExtractionMethod.INFERRED, Optional.of(0.7), List.of());
    Artifact second =
        run(CreateArtifacts.of(
                NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("fact"))
                    .withProvenance(again)))
            .getFirst();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.provenance()).isEqualTo(again);
    assertThat(memory.<Long>view(SPACE, view -> view.countArtifacts(trajectory.id()))).isEqualTo(1);
    assertThat(store.changes().read(SPACE, head, 10))
        .flatExtracting(Commit::changes)
        .noneMatch(recordChange -> recordChange.table().equals(Notice.TABLE.name()));
  }

  @Test
  @DisplayName("J-18: another trajectory has its own artifact of the same content")
  void trajectoriesDoNotShareArtifacts() {
    assertThat(make(scopeOf(start()), "fact").id())
        .isNotEqualTo(make(scopeOf(start()), "fact").id());
  }

  @Test
  @DisplayName("STO-18, J-22: several artifacts are made together or not at all, duplicates once")
  void severalArtifactsAtOnce() {
    Scope scope = scopeOf(start());
    NewArtifact one = NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("one"));
    NewArtifact two = NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("two"));
    List<Artifact> made = run(CreateArtifacts.of(one, two, one));
    assertThat(made.get(0).id()).isEqualTo(made.get(2).id()).isNotEqualTo(made.get(1).id());
    NewArtifact lost = NewArtifact.of(unknown(), ArtifactType.FACT, Bytes.of("x"));
    NewArtifact three = NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("three"));
    refuses(MemoryErrorCode.UNKNOWN_RECORD, () -> run(CreateArtifacts.of(three, lost)));
  }

  @Test
  @DisplayName("LIF-13, STO-03: a better artifact supersedes an old one, which is kept for audit")
  void artifactsAreSuperseded() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact old = make(scope, "draft");
    Artifact better =
        run(
            new SupersedeArtifact(
                old.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("better"))));
    Artifact best =
        run(
            new SupersedeArtifact(
                better.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("best"))));
    assertThat(memory.<Artifact>view(SPACE, view -> view.newestSuccessor(old.id())).id())
        .isEqualTo(best.id());
    assertThat(memory.<List<Artifact>>view(SPACE, view -> view.artifactsSupersededBy(best.id())))
        .extracting(Artifact::id)
        .containsExactly(better.id());
    assertThat(isLive(old)).isFalse();
    assertThat(memory.<Long>view(SPACE, view -> view.countArtifacts(trajectory.id()))).isEqualTo(3);
    refuses(
        MemoryErrorCode.RECORD_NOT_LIVE,
        () ->
            run(
                new SupersedeArtifact(
                    old.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("x")))));
    assertThat(make(scope, "draft").id()).isNotEqualTo(old.id());
  }

  @Test
  void anArtifactCannotTakeItsOwnPlace() {
    Scope scope = scopeOf(start());
    Artifact made = make(scope, "x");
    refuses(
        MemoryErrorCode.CIRCULAR_REFERENCE,
        () ->
            run(
                new SupersedeArtifact(
                    made.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("x")))));
  }

  @Test
  @DisplayName(
      "LIF-16, MEM-02, J-28: artifacts expire with their duration, their scope, their session, or never")
  void artifactsExpire() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact minute = make(scope, "m", ArtifactType.FACT, Ttl.of(Duration.ofMinutes(1)));
    Artifact inScope = make(scope, "s", ArtifactType.FACT, new Ttl.ScopeTtl());
    Artifact session = make(scope, "t", ArtifactType.FACT, new Ttl.TrajectoryTtl());
    Artifact ever = make(scope, "e", ArtifactType.FACT, Ttl.persistent());
    pass(Duration.ofSeconds(59));
    assertThat(isLive(minute)).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(isLive(minute)).isFalse();
    run(CloseScope.of(scope.id()));
    assertThat(isLive(inScope)).isFalse();
    assertThat(isLive(session)).isTrue();
    run(EndTrajectory.complete(trajectory.id(), ""));
    assertThat(isLive(session)).isFalse();
    assertThat(isLive(ever)).isTrue();
  }

  @Test
  void contentThatHasExpiredCanBeMadeAgain() {
    Scope scope = scopeOf(start());
    Artifact first = make(scope, "m", ArtifactType.FACT, Ttl.of(Duration.ofMinutes(1)));
    pass(Duration.ofMinutes(2));
    Artifact second = make(scope, "m", ArtifactType.FACT, Ttl.persistent());
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(isLive(second)).isTrue();
  }

  @Test
  @DisplayName("MEM-16, MEM-17, STO-04, STO-27: a note has all its parts and is found by entity")
  void notesAreFound() {
    Id trajectory = start().id();
    for (NoteType type : NoteType.values()) {
      run(
          WriteNote.of("alice", "person", type, "About " + type)
              .withSource(trajectory)
              .withConfidence(0.5));
    }
    run(WriteNote.of("alice", "server", NoteType.FACT, "Has 8 cores."));
    List<Note> notes = memory.view(SPACE, view -> view.notes("alice", "person"));
    assertThat(notes).extracting(Note::type).containsExactlyInAnyOrder(NoteType.values());
    assertThat(notes).allMatch(note -> note.sources().equals(List.of(trajectory)));
    assertThat(notes).allMatch(note -> note.confidence() == 0.5);
    assertThat(memory.<Long>view(SPACE, view -> view.countNotes(trajectory)))
        .isEqualTo(NoteType.values().length);
  }

  @Test
  @DisplayName("J-12, LIF-14: a note without stated confidence has the configured one")
  void theInitialConfidenceIsConfigured() {
    assertThat(learn("Alice has a dog.").confidence())
        .isEqualTo(RuntimeConfig.starter().memory().initialNoteConfidence());
  }

  @Test
  @DisplayName("LIF-15, CON-05: nearly the same note is merged: sources add up, certainty grows")
  void nearDuplicatesAreMerged() {
    Trajectory one = start();
    Trajectory two = start();
    Note first =
        run(
            WriteNote.of("alice", "person", NoteType.FACT, "Alice works in the Berlin office.")
                .withConfidence(0.5)
                .withSource(one.id()));
    pass(Duration.ofSeconds(1));
    Note again =
        run(
            WriteNote.of("alice", "person", NoteType.FACT, "Alice works in the Berlin offices!")
                .withSource(two.id()));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.sources()).containsExactly(one.id(), two.id());
    assertThat(again.confidence()).isGreaterThan(first.confidence());
    assertThat(again.recordedAt()).isEqualTo(clock.instant());
    assertThat(again.version()).isEqualTo(2);
  }

  @Test
  @DisplayName("LIF-15: a note is merged only if the merge loses no word; else both are kept")
  void noWordIsLostByMerging() {
    List<String> texts =
        List.of(
            "Alice knows C++ very well.",
            "Alice knows C# very well.",
            "Bob is the manager of Alice.",
            "Alice is the manager of Bob.",
            "👍",
            "👎");
    texts.forEach(this::learn);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("alice", "person")))
        .extracting(Note::content)
        .containsExactlyInAnyOrderElementsOf(texts);
  }

  @Test
  @DisplayName("LIF-12: content that is created again gets the longer of the two lifetimes")
  void theLongerLifeWins() {
    Trajectory trajectory = start();
    Scope scope = scopeOf(trajectory);
    Artifact kept = make(scope, "kept", ArtifactType.FACT, new Ttl.ScopeTtl());
    make(scope, "kept", ArtifactType.FACT, Ttl.persistent());
    Artifact longer = make(scope, "longer", ArtifactType.FACT, Ttl.of(Duration.ofMinutes(1)));
    pass(Duration.ofSeconds(30));
    make(scope, "longer", ArtifactType.FACT, Ttl.of(Duration.ofMinutes(1)));
    Artifact shared = make(scope, "shared", ArtifactType.FACT, new Ttl.ScopeTtl());
    make(run(new OpenScope(trajectory.id())), "shared", ArtifactType.FACT, new Ttl.ScopeTtl());
    run(CloseScope.of(scope.id()));
    pass(Duration.ofSeconds(45));
    assertThat(isLive(kept)).isTrue();
    assertThat(isLive(longer)).isTrue();
    assertThat(isLive(shared)).isTrue();
    pass(Duration.ofSeconds(45));
    assertThat(isLive(longer)).isFalse();
    run(EndTrajectory.complete(trajectory.id(), ""));
    assertThat(isLive(shared)).isFalse();
    assertThat(isLive(kept)).isTrue();
  }

  @Test
  @DisplayName("LIF-15: a merge keeps the labels of a note, with the newest value of each")
  void labelsOfMergedNotesAddUp() {
    WriteNote plain = WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.");
    Note first =
        run(plain.withLabels(Labels.none().withMetadata("lang", "en").withMetadata("page", 1)));
    pass(Duration.ofDays(1));
    Labels more = Labels.ofExternalId("crm-7").withMetadata("page", 2).withMetadata("seen", true);
    Note merged = run(plain.withLabels(more));
    assertThat(merged.id()).isEqualTo(first.id());
    assertThat(merged.labels()).isEqualTo(more.withMetadata("lang", "en"));
    assertThat(merged.version()).isEqualTo(2);
    assertThat(run(plain.withLabels(more))).as("the same call again").isEqualTo(merged);
    assertThat(run(plain)).as("without any").isEqualTo(merged);
    assertThat(memory.<List<PastNote>>view(SPACE, view -> view.noteHistory(first.id())))
        .extracting(past -> past.note().labels())
        .containsExactly(first.labels());
  }

  @Test
  @DisplayName("LIF-15: notes with different external ids are not merged")
  void notesWithTwoExternalIdsAreTwo() {
    WriteNote plain = WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.");
    Note one = run(plain.withLabels(Labels.ofExternalId("crm-7")));
    Note two = run(plain.withLabels(Labels.ofExternalId("crm-8")));
    assertThat(two.id()).isNotEqualTo(one.id());
    assertThat(two.conflictsWith()).isEmpty();
    assertThat(run(plain.withLabels(Labels.ofExternalId("crm-7")))).isEqualTo(one);
  }

  @Test
  @DisplayName("J-18: labels for content that already exists are kept")
  void labelsOfRepeatedArtifactsAddUp() {
    Scope scope = scopeOf(start());
    NewArtifact plain = NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("42"));
    Artifact first = create(plain.withLabels(Labels.none().withMetadata("page", 1)));
    Labels more = Labels.ofSubject("alice").withExternalId("file-1").withMetadata("page", 2);
    Artifact again = create(plain.withLabels(more));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.labels()).isEqualTo(more);
    Artifact other =
        create(plain.withLabels(Labels.ofExternalId("file-2").withMetadata("lang", "en")));
    assertThat(other.labels()).as("its first name").isEqualTo(more.withMetadata("lang", "en"));
    pass(Duration.ofDays(1));
    assertThat(create(plain.withLabels(more))).as("the same call again").isEqualTo(other);
    run(CloseScope.of(scope.id()));
    assertThat(create(plain.withLabels(more)).id()).isEqualTo(first.id());
    refuses(
        MemoryErrorCode.SCOPE_CLOSED,
        () -> create(plain.withLabels(Labels.none().withMetadata("lang", "de"))));
  }

  private Artifact create(NewArtifact command) {
    return run(CreateArtifacts.of(command)).getFirst();
  }

  @Test
  void joinedLabelsHaveTheLimitOfOne() {
    WriteNote plain = WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.");
    run(plain.withLabels(many("a")));
    refuses(KernelErrorCode.LIMIT_EXCEEDED, () -> run(plain.withLabels(many("b"))));
  }

  private static Labels many(String prefix) {
    Labels labels = Labels.none();
    for (int i = 0; i < MemoryConfig.starter().limits().metadata(); i++) {
      labels = labels.withMetadata(prefix + i, i);
    }
    return labels;
  }

  @Test
  void theSameCallTwiceChangesNothing() {
    Note first = learn("Alice has a dog.");
    long sequence = store.changes().head(SPACE).sequence();
    assertThat(learn("Alice has a dog.")).isEqualTo(first);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("alice", "person")))
        .containsExactly(first);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(sequence);
  }

  @Test
  @DisplayName(
      "LIF-15: a note with the same text is found again, however many newer ones there are")
  void theSameNoteIsFoundAmongMany() {
    Memory few =
        Memory.of(store, MemoryConfig.starter().with("memory.merging.candidates = 2"), parts());
    WriteNote dog = WriteNote.of("alice", "person", NoteType.FACT, "Alice has a dog.");
    Note first = few.run(SPACE, dog);
    for (String pet : List.of("cat", "horse", "parrot", "snake")) {
      few.run(
          SPACE, WriteNote.of("alice", "person", NoteType.FACT, "She met a " + pet + " today."));
    }
    assertThat(few.run(SPACE, dog)).isEqualTo(first);
    WriteNote again = WriteNote.of("alice", "person", NoteType.FACT, "alice  has a dog");
    assertThat(few.run(SPACE, again)).isEqualTo(first);
    assertThat(few.run(SPACE, dog.withLabels(Labels.ofSubject("bob"))).id())
        .isNotEqualTo(first.id());
    Instant end = clock.instant().plusSeconds(60);
    assertThat(few.run(SPACE, dog.withValidity(TimeRange.between(clock.instant(), end))).id())
        .as("for another time")
        .isNotEqualTo(first.id());
    run(new SupersedeNote(first.id(), again));
    assertThat(few.run(SPACE, dog).id()).as("no longer believed").isNotEqualTo(first.id());
  }

  @Test
  void otherFactsStayOtherNotes() {
    learn("Alice has a dog.");
    learn("Alice plays the violin.");
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("alice", "person"))).hasSize(2);
  }

  @Test
  void contradictingNotesAreBothKeptAndLinked() {
    Note one = learn("Alice lives in Paris.");
    Note other = learn("Alice lives in Rome.");
    assertThat(other.conflictsWith()).containsExactly(one.id());
    assertThat(memory.<Note>view(SPACE, view -> view.note(one.id())).conflictsWith())
        .containsExactly(other.id());
  }

  @Test
  @DisplayName("LIF-15: a merged longer text is checked for conflicts")
  void aMergeThatContradictsIsLinked() {
    Note room = learn("The meeting room is large, bright, warm, quiet, modern and clean.");
    Note seats = learn("The meeting room has 40 seats.");
    assertThat(seats.conflictsWith()).isEmpty();
    String more =
        "The meeting room is large, bright, warm, quiet, modern and clean, and the meeting room"
            + " has 30 seats.";
    Note merged = learn(more);
    assertThat(merged.id()).isEqualTo(room.id());
    assertThat(merged.content()).isEqualTo(more);
    assertThat(merged.conflictsWith()).containsExactly(seats.id());
    assertThat(memory.<Note>view(SPACE, view -> view.note(seats.id())).conflictsWith())
        .containsExactly(merged.id());
    assertThat(learn(more)).as("the same call again").isEqualTo(merged);
  }

  @Test
  void notesForDifferentTimesDoNotConflict() {
    Instant now = clock.instant();
    Instant later = now.plusSeconds(3600);
    WriteNote paris = WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Paris.");
    WriteNote rome = WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.");
    run(paris.withValidity(TimeRange.between(now, later)));
    assertThat(run(rome.withValidity(TimeRange.from(later))).conflictsWith()).isEmpty();
  }

  @Test
  void aNewNoteTakesThePlaceOfAnOldOne() {
    Note old = learn("Alice lives in Paris.");
    pass(Duration.ofDays(1));
    Note next =
        run(
            new SupersedeNote(
                old.id(), WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.")));
    assertThat(next.supersedes()).containsExactly(old.id());
    assertThat(next.conflictsWith()).isEmpty();
    Note then = memory.view(SPACE, view -> view.note(old.id()));
    assertThat(then.supersededBy()).contains(next.id());
    assertThat(then.retiredAt()).contains(clock.instant());
    refuses(
        MemoryErrorCode.RECORD_NOT_LIVE,
        () -> run(new EndNote(old.id(), clock.instant().plusSeconds(1))));
  }

  @Test
  @DisplayName("LIF-15: a successor that already exists as a note is not written twice")
  void aKnownNoteTakesThePlaceOfAnOldOne() {
    Note paris = learn("Alice lives in Paris.");
    Note rome = learn("Alice lives in Rome.");
    pass(Duration.ofDays(1));
    Trajectory source = start();
    Note next =
        run(
            new SupersedeNote(
                paris.id(),
                WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome")
                    .withSource(source.id())));
    assertThat(next.id()).isEqualTo(rome.id());
    assertThat(next.supersedes()).containsExactly(paris.id());
    assertThat(next.conflictsWith()).isEmpty();
    assertThat(next.sources()).containsExactly(source.id());
    assertThat(memory.<Note>view(SPACE, view -> view.note(paris.id())).supersededBy())
        .contains(rome.id());
    assertThat(believed(clock.instant(), clock.instant())).containsExactly("Alice lives in Rome.");
    Note again =
        run(
            new SupersedeNote(
                rome.id(), WriteNote.of("alice", "person", NoteType.FACT, rome.content())));
    assertThat(again.supersedes()).as("its own words again").containsExactly(rome.id());
    memory.forget(SPACE, ForgetRecords.of(again.id()));
    assertThat(memory.<Note>view(SPACE, view -> view.note(rome.id())).supersededBy()).isEmpty();
  }

  @Test
  @DisplayName("MEM-16: notes can be queried by the day of belief and by the day of validity")
  void beliefsHaveTwoTimes() {
    Instant january = clock.instant();
    Note paris = learn("Alice lives in Paris.");
    pass(Duration.ofDays(31));
    Instant february = clock.instant();
    Note rome =
        run(
            new SupersedeNote(
                paris.id(),
                WriteNote.of("alice", "person", NoteType.FACT, "Alice lives in Rome.")
                    .withValidity(TimeRange.from(february))));
    pass(Duration.ofDays(28));
    Instant march = clock.instant();
    run(new EndNote(rome.id(), march));
    pass(Duration.ofDays(1));
    assertThat(believed(january, january)).containsExactly("Alice lives in Paris.");
    assertThat(believed(february, february)).containsExactly("Alice lives in Rome.");
    assertThat(believed(february, january)).isEmpty();
    assertThat(believed(february, march)).containsExactly("Alice lives in Rome.");
    assertThat(believed(clock.instant(), march)).isEmpty();
    assertThat(believed(clock.instant(), february)).containsExactly("Alice lives in Rome.");
  }

  @Test
  void aMergedNoteReadsAsItDidThen() {
    learn("Alice works in the Berlin office.");
    Instant before = clock.instant();
    pass(Duration.ofDays(1));
    learn("Alice works in the Berlin office today!!!");
    pass(Duration.ofDays(1));
    assertThat(believed(before, before)).containsExactly("Alice works in the Berlin office.");
    assertThat(believed(clock.instant(), clock.instant()))
        .containsExactly("Alice works in the Berlin office today!!!");
  }

  @Test
  @DisplayName("MEM-16: a query of a past day returns notes without later changes")
  void thePastKnowsNothingOfTheFuture() {
    Note paris = learn("Alice lives in Paris.");
    Note seats = learn("The meeting room has 40 seats.");
    Note room = learn("The meeting room is large, bright, warm, quiet, modern and clean.");
    Instant first = clock.instant();
    pass(Duration.ofDays(1));
    Note rome = learn("Alice lives in Rome.");
    Note more = learn(room.content().replace(".", ", and the meeting room has 30 seats."));
    assertThat(more.conflictsWith()).containsExactly(seats.id());
    Instant second = clock.instant();
    pass(Duration.ofDays(1));
    run(
        new SupersedeNote(
            paris.id(), WriteNote.of("alice", "person", NoteType.FACT, rome.content())));
    assertThat(asOf(first)).containsExactlyInAnyOrder(paris, seats, room);
    assertThat(asOf(second))
        .filteredOn(note -> note.id().equals(paris.id()))
        .singleElement()
        .satisfies(
            then -> {
              assertThat(then.retiredAt()).isEmpty();
              assertThat(then.supersededBy()).isEmpty();
              assertThat(then.conflictsWith()).containsExactly(rome.id());
            });
    assertThat(asOf(second)).contains(rome, more);
    assertThat(asOf(clock.instant()))
        .extracting(Note::id)
        .containsExactlyInAnyOrder(rome.id(), more.id(), seats.id());
  }

  private List<Note> asOf(Instant recorded) {
    return memory.view(
        SPACE, view -> view.notes(NoteQuery.allBelieved().withEntity("alice").withAsOf(recorded)));
  }

  private List<String> believed(Instant recorded, Instant valid) {
    return memory.view(
        SPACE,
        view ->
            view
                .notes(
                    NoteQuery.allBelieved()
                        .withEntity("alice")
                        .withAsOf(recorded)
                        .withValidAt(valid))
                .stream()
                .map(Note::content)
                .toList());
  }

  @Test
  @DisplayName(
      "LIF-14: a trajectory's artifacts become notes, in order, with their confidence and source")
  void consolidates() {
    Trajectory trajectory =
        run(StartTrajectory.of("Talk", PLANNER).withLabels(Labels.ofSubject("alice")));
    Scope scope = scopeOf(trajectory);
    say(scope, "I prefer tea over coffee. The report must not exceed 5 pages.");
    say(scope, "We decided to ship on Friday.");
    run(CloseScope.of(scope.id()));
    List<Id> ids = run(new ConsolidateTrajectory(trajectory.id()));
    List<Note> notes =
        ids.stream().map(id -> memory.<Note>view(SPACE, view -> view.note(id))).toList();
    assertThat(notes)
        .extracting(Note::type)
        .containsExactlyInAnyOrder(NoteType.PREFERENCE, NoteType.CONVENTION, NoteType.STRATEGY);
    assertThat(notes).allMatch(note -> note.entity().equals("alice"));
    assertThat(notes).allMatch(note -> note.sources().equals(List.of(trajectory.id())));
    assertThat(run(new ConsolidateTrajectory(trajectory.id()))).isEqualTo(ids);
    assertThat(run(EndTrajectory.complete(trajectory.id(), "")).outcome().orElseThrow().notes())
        .containsExactlyInAnyOrderElementsOf(ids);
  }
}
