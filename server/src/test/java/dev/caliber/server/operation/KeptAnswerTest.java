package dev.caliber.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.Purge;
import dev.caliber.memory.Quoted;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.StoreFixture;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Answers that go when something is forgotten. */
final class KeptAnswerTest extends StoreFixture {
  private static final int CHANGES = 50;
  private static final int BATCH = 20;
  private static final int PAGE = 7;
  private static final Quoted ANYTHING = new Quoted(List.of(), List.of());

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  private static StoreConfig narrow(StoreConfig starter) {
    return starter.withWrites(starter.writes().withChangesLimit(CHANGES));
  }

  private static KeptAnswer answer(Transaction transaction, int number, boolean pending) {
    return new KeptAnswer(
        "answer-" + number,
        "remember",
        "request",
        Optional.of("{}"),
        Optional.empty(),
        Optional.of(pending),
        transaction.now());
  }

  @Test
  @DisplayName("more answers than a commit holds go in several; what is worked on stays")
  void manyAnswersGo() {
    RecordStore store = open(KeptAnswerTest::narrow, KeptAnswer.TABLE);
    for (int i = 0; i < 2 * CHANGES; i++) {
      int number = i;
      store.write(
          SPACE,
          transaction -> {
            transaction.put(KeptAnswer.TABLE, answer(transaction, number, number == 0));
            return true;
          });
    }
    List<Boolean> spent =
        IntStream.range(0, 5).mapToObj(_ -> store.write(SPACE, KeptAnswerTest::forget)).toList();
    assertThat(spent).containsExactly(true, true, true, true, false);
    assertThat(store.read(SPACE, s -> s.scan(Query.over(KeptAnswer.TABLE), 10)).records())
        .extracting(KeptAnswer::id)
        .containsExactly("answer-0");
  }

  private static boolean forget(Transaction transaction) {
    Purge purge = new Purge(transaction, PAGE, BATCH);
    KeptAnswer.quoting().forget(ANYTHING, purge);
    return purge.isSpent();
  }
}
