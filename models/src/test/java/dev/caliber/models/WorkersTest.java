package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class WorkersTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  @DisplayName("LLM-04: native code runs on named platform threads, queries before passages")
  void queriesGoFirst() throws Exception {
    var order = new CopyOnWriteArrayList<String>();
    var gate = new CountDownLatch(1);
    try (var inferenceThreads = new InferenceThreads(1, 10, LONG)) {
      List<Future<Boolean>> all =
          Stream.of(
                  inferenceThreads.submit(
                      EmbeddingPurpose.PASSAGE, () -> done(order, Thread.currentThread(), gate)),
                  inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> order.add("passage 1")),
                  inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> order.add("passage 2")),
                  inferenceThreads.submit(EmbeddingPurpose.QUERY, () -> order.add("query 1")),
                  inferenceThreads.submit(EmbeddingPurpose.QUERY, () -> order.add("query 2")))
              .toList();
      gate.countDown();
      for (Future<Boolean> each : all) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(order)
        .containsExactly("caliber-model-0 false", "query 1", "query 2", "passage 1", "passage 2");
  }

  private static boolean done(List<String> order, Thread thread, CountDownLatch gate)
      throws InterruptedException {
    gate.await();
    return order.add(thread.getName() + " " + thread.isVirtual());
  }

  @Test
  @DisplayName("LLM-04: a full queue refuses, and never for the other purpose")
  void boundsWhatWaits() throws Exception {
    var gate = new CountDownLatch(1);
    try (var inferenceThreads = new InferenceThreads(1, 1, Duration.ofMillis(20))) {
      Future<Boolean> first = inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> opened(gate));
      assertThatThrownBy(() -> inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> true))
          .isInstanceOfSatisfying(
              CaliberException.class, e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.BUSY))
          .hasMessageContaining("queue-limit");
      Future<Boolean> query = inferenceThreads.submit(EmbeddingPurpose.QUERY, () -> true);
      gate.countDown();
      assertThat(first.get()).isTrue();
      assertThat(query.get()).isTrue();
      assertThat(inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> true).get()).isTrue();
    }
  }

  @Test
  @DisplayName("LLM-04: closing drops queued work and waits for running work")
  void closes() {
    var gate = new CountDownLatch(1);
    var inferenceThreads = new InferenceThreads(1, 10, LONG);
    Future<Boolean> running = inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> opened(gate));
    Future<Boolean> waiting = inferenceThreads.submit(EmbeddingPurpose.PASSAGE, () -> true);
    inferenceThreads.close();
    assertThat(running.isDone()).isTrue();
    assertThat(waiting.isCancelled()).isTrue();
    assertThatThrownBy(() -> inferenceThreads.submit(EmbeddingPurpose.QUERY, () -> true))
        .isInstanceOfSatisfying(
            CaliberException.class, e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.CLOSED));
  }

  private static boolean opened(CountDownLatch gate) throws InterruptedException {
    gate.await();
    return true;
  }
}
