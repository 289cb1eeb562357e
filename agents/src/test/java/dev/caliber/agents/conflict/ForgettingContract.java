package dev.caliber.agents.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessageDelivery;
import dev.caliber.agents.mail.MessagePriority;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Forgetting of records with more dependent records than one commit can remove. */
@EachEngine
class ForgettingContract extends AgentsFixture {
  private static final int CHANGES = 400;
  private static final int BATCH = 50;
  private static final int TASKS = 12;

  @Override
  public StoreConfig storeConfig(StoreConfig starter) {
    return starter.with("store.writes.changes-limit = " + CHANGES);
  }

  @Override
  public MemoryConfig memoryConfig(MemoryConfig starter) {
    return starter.with("memory.retention.batch = " + BATCH);
  }

  private static Message message(Transaction transaction, Id task) {
    return new Message(
        transaction.newId(),
        transaction.revision(),
        PLANNER,
        Recipient.ofAgent(ANNA),
        MessageContent.of("hint", "{}").withTrajectory(task),
        MessagePriority.NORMAL,
        Optional.empty(),
        Optional.empty(),
        MessageDelivery.NEW,
        transaction.now());
  }

  private Conflict conflict(Transaction transaction, EntityRef about, int number) {
    return new Conflict(
        transaction.newId(),
        ConflictType.CONTRADICTING_FACT,
        Conflict.ConflictSide.of(about),
        Conflict.ConflictSide.of(EntityRef.agent("other-" + number)),
        "build",
        Optional.empty(),
        ConflictStatus.DETECTED,
        Optional.empty(),
        transaction.now(),
        Optional.empty());
  }

  private <T> void write(Table<T> table, int count, BiFunction<Transaction, Integer, T> record) {
    for (int first = 0; first < count; first += CHANGES / 2) {
      int begin = first;
      store.commit(
          SPACE,
          transaction -> {
            IntStream.range(begin, Math.min(count, begin + CHANGES / 2))
                .forEach(i -> transaction.put(table, record.apply(transaction, i)));
          });
    }
  }

  private long count(Table<?> table) {
    return store.read(SPACE, snapshot -> snapshot.count(Query.over(table)));
  }

  @Test
  @DisplayName("a task with more mail than a commit holds is forgotten with all of it")
  void muchMail() {
    Id task = task().id();
    write(Message.TABLE, 2 * CHANGES, (transaction, _) -> message(transaction, task));
    memory.forget(SPACE, ForgetRecords.of(task));
    assertThat(count(Message.TABLE)).isZero();
  }

  @Test
  @DisplayName("one batch is removed in the commit of the task; a job removes the rest")
  void muchMailByAJob() {
    Id task = task().id();
    write(Message.TABLE, 2 * CHANGES, (transaction, _) -> message(transaction, task));
    store.write(SPACE, transaction -> memory.run(transaction, ForgetRecords.of(task)));
    assertThat(count(Message.TABLE))
        .as("one batch goes with the task")
        .isEqualTo(2 * CHANGES - BATCH);
    memory.registerJobHandlers(jobs);
    jobs.runDue(SPACE);
    assertThat(count(Message.TABLE)).isZero();
  }

  @Test
  @DisplayName("a person with many busy tasks is forgotten, one batch in each commit")
  void manyBusyTasks() {
    List<Id> tasks =
        IntStream.range(0, TASKS)
            .mapToObj(
                i ->
                    memory.run(
                        SPACE,
                        StartTrajectory.of("Help Alice " + i, EntityRef.agent("planner"))
                            .withLabels(Labels.ofSubject("alice"))))
            .map(Trajectory::id)
            .toList();
    write(
        Message.TABLE,
        TASKS * BATCH,
        (transaction, i) -> message(transaction, tasks.get(i % TASKS)));
    run(new AssignTask(ANNA, tasks.getLast()));
    run(
        CreateDelegation.of(
            PLANNER, Recipient.ofAgent(ANNA), DelegatedTask.of("Do it", tasks.getLast())));
    assertThat(
            memory
                .forget(SPACE, ForgetRecords.matching(RecallFilter.ofSubject("alice")))
                .complete())
        .isTrue();
    assertThat(count(Message.TABLE)).isZero();
    assertThat(count(Delegation.TABLE)).isZero();
    assertThat(read(ANNA).trajectory()).isEmpty();
  }

  @Test
  @DisplayName("no conflict about a forgotten record stays behind, however many there are")
  void manyConflicts() {
    Note note =
        memory.run(SPACE, WriteNote.of("build", "thing", NoteType.FACT, "The build is green."));
    EntityRef about = EntityRef.of(EntityType.NOTE, note.id());
    write(Conflict.TABLE, 3 * BATCH, (transaction, i) -> conflict(transaction, about, i));
    memory.forget(SPACE, ForgetRecords.of(note.id()));
    assertThat(count(Conflict.TABLE)).isZero();
  }
}
