package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Forget;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Forgetting what more was said about than one commit can remove. */
final class ForgettingTest extends AgentsFixture {
  private static final int COMMITS = 3;
  private static final int MESSAGES = 3500;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  private long messages(Id task) {
    return store.read(
        SPACE, snapshot -> snapshot.count(Query.over(Message.TABLE, "trajectory").equal(task)));
  }

  @Test
  @DisplayName("a task with more mail than a commit holds is forgotten, the rest by a job")
  void muchMail() {
    Id task = task().id();
    for (int commit = 0; commit < COMMITS; commit++) {
      store.write(
          SPACE,
          transaction -> {
            for (int i = 0; i < MESSAGES; i++) {
              transaction.put(
                  Message.TABLE,
                  new Message(
                      transaction.newId(),
                      transaction.revision(),
                      PLANNER,
                      Address.agent(ANNA),
                      Letter.of("hint", "{}").about(task),
                      Priority.NORMAL,
                      Optional.empty(),
                      Optional.empty(),
                      Delivery.NEW,
                      transaction.now()));
            }
            return true;
          });
    }
    assertThat(messages(task)).isEqualTo(COMMITS * MESSAGES);
    memory.forget(SPACE, Forget.of(task));
    jobs.runDue(SPACE);
    assertThat(messages(task)).isZero();
  }
}
