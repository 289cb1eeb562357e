package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.testkit.Engines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a commit reads while nobody else can write: as much as it is about, not all there is. */
final class CommitReadsTest extends MemoryFixture {
  private static final int MANY = 60;
  private static final int ROWS_OF_A_PAGE = 5;

  private final AtomicInteger pages = new AtomicInteger();

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  /** So that a walk over rows that do not pass shows in the number of pages. */
  @Override
  StoreConfig stored(StoreConfig starter) {
    StoreConfig.Reads reads = starter.reads();
    return starter.withReads(
        new StoreConfig.Reads(
            reads.sessions(), reads.patience(), reads.pageLimit(), ROWS_OF_A_PAGE));
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
        .labelled(Labels.ofSubject(subject));
  }

  @Test
  @DisplayName("a note about what many subjects share is held against those of its own subject")
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
    run(open.labelled(Labels.ofSubject("alice")));
    Note first = run(open);
    assertThat(run(open).id()).isEqualTo(first.id());
    assertThat(first.labels().subject()).isEmpty();
  }

  @Test
  @DisplayName(
      "J-28: a close where the newest scopes keep their turns reads none of the older ones")
  void closesOfManyScopes() {
    CompiledConfig keeping =
        new CompiledConfig(
            "1.0",
            List.of(Definitions.of("scopes", new Retention.Max(1))),
            List.of(),
            List.of(),
            List.of());
    Memory counted =
        Memory.of(
            new CountingStore(store, pages),
            MemoryConfig.from(
                Settings.parse(
                    "a test", MemoryConfig.starterText().replaceAll("(?m)^page = .*", "page = 5"))),
            parts().withPolicies(_ -> Optional.of(keeping)));
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
  @DisplayName("to forget what is about something does not walk over all that was said")
  void forgetsByEntity() {
    forgets(_ -> learn("Alice has a cat."), _ -> RecallFilter.any().about("alice"));
  }

  @Test
  void forgetsByTypeOfNote() {
    forgets(_ -> learn("Alice has a cat."), _ -> RecallFilter.any().only(NoteType.FACT));
  }

  @Test
  void forgetsByMetadata() {
    forgets(
        _ ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                    .labelled(Labels.none().with("source", "chat"))),
        _ -> RecallFilter.any().with("source", "chat"));
  }

  @Test
  void forgetsByExternalId() {
    forgets(
        _ ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                    .labelled(Labels.ofExternalId("crm-7"))),
        _ -> RecallFilter.any().named("crm-7"));
  }

  @Test
  void forgetsByTimeOfCreation() {
    forgets(
        _ -> {
          pass(Duration.ofDays(1));
          return learn("Alice has a cat.");
        },
        note -> RecallFilter.any().created(Period.from(note.createdAt())));
  }

  @Test
  @DisplayName("to forget a session does not walk over all that is known")
  void forgetsBySession() {
    forgets(
        session ->
            run(
                WriteNote.of("alice", "person", NoteType.FACT, "Alice has a cat.")
                    .learnedIn(session.id())),
        note -> RecallFilter.any().in(note.sources().getFirst()));
  }

  /** The same wish twice, the second time among much that it does not mean. */
  private void forgets(Function<Trajectory, Note> learn, Function<Note, RecallFilter> filter) {
    int few = pagesToForget(learn, filter);
    crowd();
    assertThat(pagesToForget(learn, filter)).isEqualTo(few);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("bob", "person"))).hasSize(MANY);
  }

  private int pagesToForget(Function<Trajectory, Note> learn, Function<Note, RecallFilter> filter) {
    Note note = learn.apply(start());
    Forget wish = Forget.all(filter.apply(note));
    assertThat(memory.forget(SPACE, wish.previewed()).records())
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
  @DisplayName("what passes a filter no more when its turn comes is not forgotten")
  void whatWasChangedMeanwhileStays() {
    Note note = learn("Alice has a cat.");
    Prepared found = Prepared.of(List.of(EntityRef.of(EntityType.NOTE, note.id())));
    Forget wish = Forget.all(RecallFilter.any().about("bob"));
    Forgotten gone =
        store.write(
            SPACE,
            transaction ->
                new ForgetWork(new Desk(transaction, MemoryConfig.starter(), parts(), found))
                    .forget(wish));
    assertThat(gone.records()).isEmpty();
    assertThat(memory.<Note>view(SPACE, view -> view.note(note.id()))).isEqualTo(note);
  }

  @Test
  @DisplayName(
      "a commit that forgets and lasts too long is tried again with one record, then refused")
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
            () -> forgetting.forget(SPACE, Forget.all(RecallFilter.any().about("alice"))))
        .isInstanceOf(StoreException.class);
    assertThat(erased).hasSize(3).endsWith(1L);
    assertThat(memory.<List<Note>>view(SPACE, view -> view.notes("alice", "person")))
        .as("hidden until the job has erased them")
        .isEmpty();
  }
}
