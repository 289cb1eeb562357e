package dev.caliber.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.view.ForgottenRecords;
import dev.caliber.memory.view.PurgeBudget;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.StoreFixture;
import dev.caliber.testkit.TestEngines;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Stored answers are deleted when a record is forgotten. */
final class KeptAnswerTest extends StoreFixture {
  private static final int CHANGES = 50;
  private static final int BATCH = 20;
  private static final ForgottenRecords ANYTHING = new ForgottenRecords(List.of(), List.of());

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  private static StoreConfig narrow(StoreConfig starter) {
    return starter.with("store.writes.changes-limit = " + CHANGES);
  }

  private static IdempotencyRecord answer(Transaction transaction, int number, boolean pending) {
    return new IdempotencyRecord(
        "answer-" + number,
        "remember",
        "request",
        Optional.of("{}"),
        Optional.empty(),
        Optional.of(pending),
        transaction.now());
  }

  @Test
  @DisplayName("more stored answers than one commit deletes take several; pending ones remain")
  void manyAnswersGo() {
    RecordStore store = open(KeptAnswerTest::narrow, IdempotencyRecord.TABLE);
    for (int i = 0; i < 2 * CHANGES; i++) {
      int number = i;
      store.commit(
          SPACE,
          transaction -> {
            transaction.put(IdempotencyRecord.TABLE, answer(transaction, number, number == 0));
          });
    }
    List<Boolean> spent =
        IntStream.range(0, 5).mapToObj(_ -> store.write(SPACE, KeptAnswerTest::forget)).toList();
    assertThat(spent).containsExactly(true, true, true, true, false);
    assertThat(store.read(SPACE, s -> s.scan(Query.over(IdempotencyRecord.TABLE), 10)).records())
        .extracting(IdempotencyRecord::id)
        .containsExactly("answer-0");
  }

  private static boolean forget(Transaction transaction) {
    PurgeBudget purgeBudget = new PurgeBudget(transaction, BATCH);
    IdempotencyRecord.forgetListener().purgeDerivedData(ANYTHING, purgeBudget);
    return purgeBudget.isSpent();
  }
}
