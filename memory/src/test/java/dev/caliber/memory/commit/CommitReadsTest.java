package dev.caliber.memory.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Retention;
import dev.caliber.memory.CountingStore;
import dev.caliber.memory.Definitions;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryFixture;
import dev.caliber.memory.TroubledStore;
import dev.caliber.memory.UnitOfWorkFactory;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.forget.ForgetHandler;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.testkit.TestEngines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Reads of a commit while all other writers wait: only the records it needs, not the whole space.
 */
final class CommitReadsTest extends MemoryFixture {
  private static final int MANY = 60;
  private static final int ROWS_OF_A_PAGE = 5;

  private final AtomicInteger pages = new AtomicInteger();

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  /** Small pages, so that a scan over rows that do not match shows in the number of pages. */
  @Override
  public StoreConfig stored(StoreConfig starter) {
    return starter.with("store.reads.scan-limit = " + ROWS_OF_A_PAGE);
  }

  private Memory counted() {
    return Memory.of(new CountingStore(store, pages), MemoryConfig.starter(), parts());
  }

  private int pagesOf(Runnable work) {
    pages.set(0);
    work.run();
    return pages.get();
  }

  private static WriteNote office(String subject) {
    return WriteNote.of("office", "place", NoteType.FACT, subject + " has a desk there.")
        .withLabels(Labels.ofSubject(subject));
  }

  @Test
  @DisplayName(
      "a note about an entity of many subjects is compared only with notes of its own subject")
  void othersNotesAreNotRead() {
    run(office("alice"));
    int few = pagesOf(() -> counted().run(SPACE, office("bob")));
    for (int i = 0; i < MANY; i++) {
      run(office("subject-" + i));
    }
    assertThat(pagesOf(() -> counted().run(SPACE, office("carol")))).isEqualTo(few);
    WriteNote again = office("alice");
    assertThat(run(again)).isEqualTo(run(again));
  }

  @Test
  void aNoteOfNobodyIsHeldAgainstThoseOfNobody() {
    WriteNote open = WriteNote.of("office", "place", NoteType.FACT, "The office is open.");
    run(open.withLabels(Labels.ofSubject("alice")));
    Note first = run(open);
    assertThat(run(open).id()).isEqualTo(first.id());
    assertThat(first.labels().subject()).isEmpty();
  }

  @Test
  @DisplayName("J-28: a close reads no older scopes if the newest ones keep their turns")
  void closesOfManyScopes() {
    CompiledConfig keeping =
        new CompiledConfig(
            "1.0",
            List.of(Definitions.of("scopes", new Retention.CountRetention(1))),
            List.of(),
            List.of(),
            List.of());
    Memory counted =
        Memory.of(
            new CountingStore(store, pages),
            MemoryConfig.starter().with("memory.limits.page-size = 5"),
            parts().withDeployedConfigs(_ -> Optional.of(keeping)));
    Trajectory task = start();
    List<Integer> read = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Scope scope = scopeOf(task);
      say(scope, "Number " + i);
      read.add(pagesOf(() -> counted.run(SPACE, CloseScope.of(scope.id()))));
      run(new OpenScope(task.id()));
    }
    assertThat(read.getLast()).isEqualTo(read.get(2 * ROWS_OF_A_PAGE));
  }

  @Test
  @DisplayName("forgetting by entity does not scan all turns")
  void forgetsByEntity() {
    forgets(_ -> learn("Alice has a cat."), _ -> RecallFilter.any().withEntity("alice"));
  }

  @Test
  void forgetsByTypeOfNote() {
    forgets(_ -> learn("Alice has a cat."), _ -> RecallFilter.any().withNoteTypes(NoteType.FACT));
  }

  @Test
  void forgetsByMetadata() {
    forgets(
        _ ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                    .withLabels(Labels.none().withMetadata("source", "chat"))),
        _ -> RecallFilter.any().withMetadata("source", "chat"));
  }

  @Test
  void forgetsByExternalId() {
    forgets(
        _ ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                    .withLabels(Labels.ofExternalId("crm-7"))),
        _ -> RecallFilter.any().withExternalId("crm-7"));
  }

  @Test
  void forgetsByTimeOfCreation() {
    forgets(
        _ -> {
          pass(Duration.ofDays(1));
          return learn("Alice has a cat.");
        },
        note -> RecallFilter.any().withCreated(TimeRange.from(note.createdAt())));
  }

  @Test
  @DisplayName("forgetting a session does not scan all notes")
  void forgetsBySession() {
    forgets(
        session ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                    .withSource(session.id())),
        note -> RecallFilter.any().withTrajectories(note.sources().getFirst()));
  }

  /** Forgets twice by one filter, the second time among many records that do not match. */
  private void forgets(Function<Trajectory, Note> learn, Function<Note, RecallFilter> filter) {
    int few = pagesToForget(learn, filter);
    crowd();
    assertThat(pagesToForget(learn, filter)).isEqualTo(few);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("bob", "person"))).hasSize(MANY);
  }

  private int pagesToForget(Function<Trajectory, Note> learn, Function<Note, RecallFilter> filter) {
    Note note = learn.apply(start());
    ForgetRecords wish = ForgetRecords.matching(filter.apply(note));
    assertThat(memory.forget(SPACE, wish.asPreview()).records())
        .extracting(EntityRef::id)
        .containsExactly(note.id().toString());
    Memory counted = counted();
    AtomicInteger gone = new AtomicInteger();
    int read = pagesOf(() -> gone.set(counted.forget(SPACE, wish).records().size()));
    assertThat(gone).hasValue(1);
    return read;
  }

  private void crowd() {
    Scope scope = scopeOf(start());
    for (int i = 0; i < MANY; i++) {
      say(scope, "Something that was said, number " + i);
      make(scope, "Something that was made, number " + i);
      run(WriteNote.of("bob", "person", NoteType.META, "Bob has number " + i + "."));
    }
  }

  @Test
  @DisplayName("a record that no longer matches the filter inside the commit is not forgotten")
  void whatWasChangedMeanwhileStays() {
    Note note = learn("Alice has a cat.");
    PreCommitModelResults found =
        PreCommitModelResults.of(List.of(EntityRef.of(EntityType.NOTE, note.id())));
    ForgetRecords wish = ForgetRecords.matching(RecallFilter.any().withEntity("bob"));
    ForgetResult gone =
        store.write(
            SPACE,
            transaction ->
                new ForgetHandler(
                        new UnitOfWorkFactory(MemoryConfig.starter(), parts())
                            .begin(transaction, found))
                    .forget(wish));
    assertThat(gone.records()).isEmpty();
    assertThat(memory.<Note>view(SPACE, view -> view.note(note.id()))).isEqualTo(note);
  }

  @Test
  @DisplayName("a forget whose commit lasts too long is retried with one record, then refused")
  void aLongCommitIsTriedWithOneRecord() {
    for (int i = 0; i < MANY; i++) {
      learn("Alice has number " + i + ".");
    }
    List<Long> erased = new ArrayList<>();
    TroubledStore slow =
        new TroubledStore(
            store,
            transaction -> {
              long left = transaction.count(Query.over(Note.TABLE));
              if (left < MANY) {
                erased.add(MANY - left);
                pass(Duration.ofMinutes(1));
              }
            });
    Memory forgetting = Memory.of(slow, MemoryConfig.starter(), parts());
    assertThatThrownBy(
            () ->
                forgetting.forget(
                    SPACE, ForgetRecords.matching(RecallFilter.any().withEntity("alice"))))
        .isInstanceOf(StoreException.class);
    assertThat(erased).hasSize(3).endsWith(1L);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("alice", "person")))
        .as("hidden until the job has erased them")
        .isEmpty();
  }
}
