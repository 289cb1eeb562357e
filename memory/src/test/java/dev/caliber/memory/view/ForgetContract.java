package dev.caliber.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.kernel.config.PolicyDefinition;
import dev.caliber.kernel.config.PolicyRule;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.SupersedeArtifact;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.store.spi.Embedder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forgets, after which no record quotes forgotten text, on every engine. */
public abstract class ForgetContract extends MemoryFixture {
  private static final String SECRET = "swordfish";
  private static final String SCOPES = "scopes";
  private static final int DIMENSIONS = 32;

  @TempDir Path indexes;

  private final List<EntityRef> told = new ArrayList<>();
  private Optional<SearchIndex> search = Optional.empty();
  private Optional<Jobs> jobs = Optional.empty();

  /** Returns all content of the engine that its files or tables show. */
  public abstract String raw();

  /** Makes the engine write pending data to its files. */
  public void settle() {}

  @Override
  public MemoryDependencies parts() {
    Jobs work = Jobs.of(store, config().jobs(), clock);
    SearchIndex index = openIndex(indexes, Embedder.hashing(DIMENSIONS), work);
    jobs = Optional.of(work);
    search = Optional.of(index);
    return super.parts()
        .withSearch(index)
        .withDeployedConfigs(_ -> Optional.of(deployed()))
        .withForgetListener((gone, _) -> told.addAll(gone.records()));
  }

  private static CompiledConfig deployed() {
    return new CompiledConfig(
        "1.0",
        List.of(Definitions.persistent(SCOPES)),
        List.of(
            new PolicyDefinition(
                "tell",
                List.of(
                    new PolicyRule(
                        new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_START),
                        List.of(
                            new PolicyAction.InjectAction(
                                SCOPES, new InjectionMode.FullInjection()))),
                    new PolicyRule(
                        new Trigger.EventTrigger(Trigger.TrajectoryTriggerEvent.TASK_END),
                        List.of(new PolicyAction.SummarizeAction(SCOPES)))))),
        List.of(),
        List.of());
  }

  @AfterEach
  final void closeSearch() {
    search.ifPresent(SearchIndex::close);
  }

  /** Waits until all records have vectors. */
  private void embed() {
    search.orElseThrow().awaitSequence(SPACE, store.changes().head(SPACE).sequence());
    while (search.orElseThrow().status(SPACE).backlog() > 0) {
      jobs.orElseThrow().runDue(SPACE);
      search.orElseThrow().awaitSequence(SPACE, store.changes().head(SPACE).sequence());
    }
  }

  private long vectors() {
    Table<?> table = SearchIndexes.tables().getFirst();
    return store.read(SPACE, snapshot -> snapshot.count(Query.over(table)));
  }

  private <T> List<T> all(Table<T> table) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
  }

  private List<String> recall(String words) {
    return memory.recall(SPACE, RecallQuery.of(words, 10)).hits().stream()
        .map(RecallHit::text)
        .toList();
  }

  private Trajectory talk(String... words) {
    Trajectory trajectory =
        run(StartTrajectory.of("Talk", PLANNER).withLabels(Labels.ofSubject("alice")));
    for (String said : words) {
      say(scopeOf(trajectory), said);
    }
    return trajectory;
  }

  private Id turn(Trajectory trajectory, int position) {
    return memory
        .view(SPACE, view -> view.turns(trajectory.id(), position, position + 1))
        .getFirst()
        .id();
  }

  private void finish(Trajectory trajectory, String outcome) {
    run(CloseScope.of(scopeOf(trajectory).id()));
    run(new ConsolidateTrajectory(trajectory.id()));
    run(EndTrajectory.complete(trajectory.id(), outcome));
  }

  @Test
  @DisplayName(
      "LIF-10: a forgotten turn is quoted nowhere: not by summaries, artifacts, notes or vectors")
  void nothingQuotesAForgottenTurn() {
    Trajectory trajectory =
        talk(
            "I prefer the password swordfish for the vault.",
            "The vault stands in the cellar of the house.");
    finish(trajectory, "The vault is found. I prefer the password swordfish for the vault.");
    embed();
    assertThat(recall(SECRET)).isNotEmpty();
    assertThat(everything().toString()).contains(SECRET);
    assertThat(read(trajectory).summary().orElseThrow().text()).contains(SECRET);
    long before = vectors();

    ForgetRecords wish = ForgetRecords.of(turn(trajectory, 0));
    ForgetResult preview = memory.forget(SPACE, wish.asPreview());
    long head = store.changes().head(SPACE).sequence();
    ForgetResult forgetResult = memory.forget(SPACE, wish);
    assertThat(store.changes().head(SPACE).sequence()).as("one commit").isEqualTo(head + 1);
    assertThat(forgetResult.records()).isEqualTo(preview.records());
    assertThat(forgetResult.records())
        .extracting(EntityRef::type)
        .containsExactly(EntityType.TURN, EntityType.ARTIFACT, EntityType.NOTE);
    assertThat(told).isEqualTo(forgetResult.records());
    assertThat(everything().toString()).doesNotContain(SECRET);
    assertThat(vectors()).isEqualTo(before - 1);
    assertThat(read(trajectory).outcome().orElseThrow().summary()).isEqualTo("The vault is found.");
    assertThat(recall("Where does the vault stand?"))
        .contains("The vault stands in the cellar of the house.")
        .noneMatch(text -> text.contains(SECRET));
    embed();
    assertThat(search.orElseThrow().check(SPACE, ProgressListener.NONE).examples()).isEmpty();
  }

  @Test
  void theBytesOfTheStoreHoldNothingOfIt() {
    Trajectory trajectory = talk("I prefer the password swordfish for the vault.", "Nothing else.");
    make(scopeOf(trajectory), "swordfish is a fish");
    Note note = learn("The swordfish is fast.");
    finish(trajectory, "It was about the swordfish vault.");
    embed();
    assertThat(raw()).containsIgnoringCase(SECRET);
    memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    memory.forget(SPACE, ForgetRecords.of(note.id()));
    embed();
    search.ifPresent(SearchIndex::close);
    settle();
    assertThat(raw()).doesNotContainIgnoringCase(SECRET);
  }

  @Test
  void whatAnotherTurnAlsoSaidStaysWithThatTurn() {
    Trajectory trajectory = talk("I prefer tea with milk.", "I prefer tea with milk.");
    run(CloseScope.of(scopeOf(trajectory).id()));
    Id note = run(new ConsolidateTrajectory(trajectory.id())).getFirst();
    embed();
    assertThat(memory.forget(SPACE, ForgetRecords.of(turn(trajectory, 0))).records()).hasSize(1);
    assertThat(memory.<Note>view(SPACE, view -> view.note(note)).isBelieved()).isTrue();
    Artifact kept =
        memory.<List<Artifact>>view(SPACE, view -> view.artifacts(trajectory.id())).getFirst();
    assertThat(kept.provenance().sources()).containsExactly(turn(trajectory, 1));
    assertThat(kept.provenance().sourceTurn()).isEmpty();
    assertThat(recall("tea")).containsOnly("I prefer tea with milk.");
    embed();
    assertThat(vectors()).isPositive();
    assertThat(search.orElseThrow().check(SPACE, ProgressListener.NONE).examples()).isEmpty();
  }

  @Test
  void whatIsRemovedByRuleTakesItsVectorAlong() {
    Scope scope = scopeOf(start());
    run(
        CreateArtifacts.of(
            NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("Here for a minute."))
                .withTtl(Ttl.of(Duration.ofMinutes(1)))));
    embed();
    assertThat(vectors()).isEqualTo(1);
    pass(MemoryConfig.starter().retention().expiredArtifacts().plusMinutes(2));
    memory.runMaintenance(SPACE);
    assertThat(vectors()).isZero();
  }

  @Test
  void aComposedArtifactGoesWhenItQuotesAndStaysWhenItDoesNot() {
    Trajectory trajectory = talk("The password is swordfish today.", "The vault is in the cellar.");
    Provenance both =
        new Provenance(
            Optional.empty(),
            ExtractionMethod.EXPLICIT,
            Optional.empty(),
            List.of(turn(trajectory, 0), turn(trajectory, 1)));
    Id quoting = compose(trajectory, "Note: the password is swordfish today. Keep it.", both);
    Id summing = compose(trajectory, "They talked about a vault.", both);
    memory.forget(SPACE, ForgetRecords.of(turn(trajectory, 0)));
    assertThat(all(Artifact.TABLE)).extracting(Artifact::id).containsExactly(summing);
    assertThat(memory.<Boolean>view(SPACE, view -> view.tombstone(quoting).isPresent())).isTrue();
  }

  @Test
  @DisplayName(
      "LIF-10: a quote is found whatever punctuation surrounds it, in scripts without spaces too")
  void marksAroundASentenceDoNotHideAQuote() {
    assertThat(
            outcomeAfter(
                "My passport number is E12345678.",
                "The user said my passport number is E12345678, and left."))
        .isEmpty();
    assertThat(
            outcomeAfter(
                "So… my name is Bob. (My passport number is E12345678!)",
                "Noted. My passport number is E12345678. Bye."))
        .isEqualTo("Noted. Bye.");
    assertThat(outcomeAfter("我住在北京。我的护照号码是E12345678。", "他问好。用户说：我的护照号码是E12345678。再见。"))
        .isEqualTo("他问好。 再见。");
    assertThat(outcomeAfter("パスポート番号はE12345678です！", "「パスポート番号はE12345678です」と言った。")).isEmpty();
  }

  @Test
  void whatOnlyBeginsLikeASentenceDoesNotQuoteIt() {
    assertThat(outcomeAfter("The key is 1.", "The key is 12.")).isEqualTo("The key is 12.");
    assertThat(outcomeAfter("I know C++.", "I know C# and C.")).isEqualTo("I know C# and C.");
    assertThat(outcomeAfter("北京。", "他住在北京。")).as("a single word").isEqualTo("他住在北京。");
  }

  private String outcomeAfter(String forgotten, String outcome) {
    Trajectory trajectory = talk(forgotten, "Something else was said here.");
    Provenance both =
        new Provenance(
            Optional.empty(),
            ExtractionMethod.EXPLICIT,
            Optional.empty(),
            List.of(turn(trajectory, 0), turn(trajectory, 1)));
    Id composed = compose(trajectory, outcome, both);
    run(EndTrajectory.complete(trajectory.id(), outcome));
    memory.forget(SPACE, ForgetRecords.of(turn(trajectory, 0)));
    String left = read(trajectory).outcome().orElseThrow().summary();
    assertThat(memory.<Boolean>view(SPACE, view -> view.tombstone(composed).isPresent()))
        .isEqualTo(!left.equals(outcome));
    return left;
  }

  private Id compose(Trajectory trajectory, String text, Provenance from) {
    return run(CreateArtifacts.of(
            NewArtifact.of(scopeOf(trajectory).id(), ArtifactType.FACT, Bytes.of(text))
                .withProvenance(from)))
        .getFirst()
        .id();
  }

  @Test
  void whatIsNotThereIsNamedAsFarAsItIsKnown() {
    Note note = learn("Alice has a dog.");
    memory.forget(SPACE, ForgetRecords.of(note.id()));
    assertThatThrownBy(() -> memory.forget(SPACE, ForgetRecords.of(note.id())))
        .hasMessage(
            "The note '%s' no longer exists: it was forgotten at %s"
                .formatted(note.id(), clock.instant()));
    Id nothing = Id.derivedFrom("test", "nothing");
    assertThatThrownBy(() -> memory.forget(SPACE, ForgetRecords.of(nothing)))
        .hasMessage("There is no record '%s' in this space".formatted(nothing));
  }

  @Test
  void whatAForgottenTaskHungOnANoteGoesWithIt() {
    Trajectory one = start();
    Trajectory two = start();
    WriteNote note = WriteNote.of("alice", "person", NoteType.FACT, "Alice likes tea.");
    Labels plain = Labels.none().withMetadata("lang", "en");
    Note first = run(note.withLabels(plain).withSource(one.id()));
    pass(Duration.ofDays(1));
    Labels more = Labels.ofExternalId("crm-7").withMetadata("seen", "in the garden");
    run(note.withLabels(more).withSource(two.id()));
    memory.forget(SPACE, ForgetRecords.of(two.id()));
    Note after = memory.view(SPACE, view -> view.note(first.id()));
    assertThat(after.labels()).isEqualTo(plain);
    assertThat(everything().values()).noneMatch(text -> text.contains("crm-7"));
    assertThat(everything().values()).noneMatch(text -> text.contains("in the garden"));
  }

  @Test
  void aNoteWithAnotherWordingLosesTheQuoteAndAForgottenSource() {
    Trajectory one = start();
    Trajectory two = start();
    WriteNote note =
        WriteNote.of("alice", "person", NoteType.FACT, "Alice works in Berlin office.");
    Note first = run(note.withSource(one.id()));
    pass(Duration.ofDays(1));
    String longer = "Alice works in the Berlin office!!";
    Note merged = run(WriteNote.of("alice", "person", NoteType.FACT, longer).withSource(two.id()));
    assertThat(merged.id()).isEqualTo(first.id());
    assertThat(merged.content()).isEqualTo(longer);
    Turn said = say(scopeOf(two), longer);
    memory.forget(SPACE, ForgetRecords.of(said.id()));
    Note after = memory.view(SPACE, view -> view.note(first.id()));
    assertThat(after.content()).isEqualTo("Alice works in Berlin office.");
    memory.forget(SPACE, ForgetRecords.of(two.id()));
    assertThat(memory.<Note>view(SPACE, view -> view.note(first.id())).sources())
        .containsExactly(one.id());
    memory.forget(SPACE, ForgetRecords.of(one.id()));
    assertThat(memory.<Boolean>view(SPACE, view -> view.tombstone(first.id()).isPresent()))
        .isTrue();
  }

  @Test
  void aSummaryInOtherWordsIsMadeAnew() {
    Trajectory trajectory = talk("The password is swordfish today.", "The vault is in the cellar.");
    Scope scope = scopeOf(trajectory);
    Summary words =
        new Summary(
            "model",
            List.of(new Summary.SummarySentence("A fish opens the cellar.", turn(trajectory, 0))));
    Memory told = Memory.of(store, MemoryConfig.starter(), parts().withSummarizer(_ -> words));
    told.run(SPACE, CloseScope.of(scope.id()));
    memory.forget(SPACE, ForgetRecords.of(turn(trajectory, 0)));
    Summary left = memory.view(SPACE, view -> view.scope(scope.id())).summary().orElseThrow();
    assertThat(left.method()).isEqualTo("extractive");
    assertThat(left.text()).isEqualTo("The vault is in the cellar.");
  }

  @Test
  void aForgottenTrajectoryTakesItsPoliciesWithIt() {
    Trajectory trajectory = talk("Hello there.");
    assertThat(all(MemoryInjection.TABLE)).isNotEmpty();
    memory.forget(SPACE, ForgetRecords.of(trajectory.id()));
    assertThat(all(MemoryInjection.TABLE)).isEmpty();
    assertThat(all(PolicyRun.TABLE)).isEmpty();
    assertThat(all(Trajectory.TABLE)).isEmpty();
  }

  @Test
  @DisplayName("a trajectory is forgotten with all its policy runs, however many there are")
  void manyRunsOfPolicies() {
    Trajectory trajectory = talk("Hello there.");
    PolicyRun run = all(PolicyRun.TABLE).getFirst();
    int many = MemoryConfig.starter().limits().batch() + 1;
    store.commit(
        SPACE,
        transaction -> {
          for (int i = 0; i < many; i++) {
            String other = Json.text(run).replace(run.id().toString(), transaction.newId() + "");
            transaction.insert(PolicyRun.TABLE, Json.read(other, PolicyRun.class));
          }
        });
    assertThat(memory.forget(SPACE, ForgetRecords.of(trajectory.id())).complete()).isTrue();
    assertThat(all(PolicyRun.TABLE)).isEmpty();
    assertThat(all(Trajectory.TABLE)).isEmpty();
  }

  @Test
  void theChainOfAnArtifactEndsWhereItsSuccessorIsForgotten() {
    Scope scope = scopeOf(start());
    Artifact old = make(scope, "draft");
    Instant before = clock.instant();
    pass(Duration.ofMinutes(1));
    Artifact better =
        run(
            new SupersedeArtifact(
                old.id(), NewArtifact.of(scope.id(), ArtifactType.FACT, Bytes.of("better"))));
    Instant now = clock.instant();
    memory.forget(SPACE, ForgetRecords.of(better.id()));
    assertThat(memory.<Artifact>view(SPACE, view -> view.newestSuccessor(old.id())).id())
        .isEqualTo(old.id());
    RecallQuery past = RecallQuery.of("draft", 10);
    assertThat(memory.recall(SPACE, past.withAsOf(now)).hits()).as("superseded").isEmpty();
    assertThat(memory.recall(SPACE, past.withAsOf(before)).hits())
        .extracting(RecallHit::id)
        .containsExactly(old.id());
  }
}
