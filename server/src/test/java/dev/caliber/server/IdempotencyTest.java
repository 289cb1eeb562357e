package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.OperationResult;
import dev.caliber.server.operation.ServerErrorCode;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Idempotency keys: a request runs once per caller, and its answer is stored. */
@Timeout(120)
class IdempotencyTest {
  private static final Caller ANNA =
      new Caller("1", "ci", SpaceId.DEFAULT, AccessRight.ADMIN, List.of());
  private static final Caller BEN =
      new Caller("2", "ci", SpaceId.DEFAULT, AccessRight.ADMIN, List.of());

  @TempDir Path directory;

  record Nothing() {}

  record Done(int times) {}

  private static OperationRequest call(String operation) {
    return new OperationRequest(
        operation, Json.mapper().createObjectNode(), Optional.of("k1"), Optional.empty());
  }

  private static Reply keyed(TestServer server, String path, String body, String key) {
    return server.send(TestServer.json(server.request(path), body).header("Idempotency-Key", key));
  }

  @Test
  @DisplayName("a request that takes several commits is worked on once, also when two come at once")
  void lastingWorkIsReserved() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    AtomicInteger times = new AtomicInteger();
    Operation<Nothing, Done> slow =
        Operation.longRunning(
            "slow",
            Nothing.class,
            (_, _) -> {
              entered.countDown();
              await(released);
              return new Done(times.incrementAndGet());
            });
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, TestServer.starter()))) {
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(wiring.modules(), TestServer.starter(), List.of(slow));
      FutureTask<OperationResult> first =
          new FutureTask<>(() -> operationDispatcher.run(ANNA, call("slow")));
      Thread.ofVirtual().name("first").start(first);
      entered.await();
      assertThatThrownBy(() -> operationDispatcher.run(ANNA, call("slow")))
          .isInstanceOfSatisfying(
              ServerException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ServerErrorCode.REQUEST_IN_PROGRESS);
                assertThat(e.retryAfter()).isPresent();
              });
      released.countDown();
      assertThat(first.get().replayed()).isFalse();
      OperationResult again = operationDispatcher.run(ANNA, call("slow"));
      assertThat(again.replayed()).isTrue();
      assertThat(again.body()).isEqualTo(first.get().body());
      assertThat(times).hasValue(1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("a request that failed may be tried again with the same key")
  void aFailureIsNotKept() {
    AtomicInteger times = new AtomicInteger();
    Operation<Nothing, Done> fails =
        Operation.longRunning(
            "fails",
            Nothing.class,
            (_, _) -> {
              if (times.incrementAndGet() == 1) {
                throw ServerException.internalError();
              }
              return new Done(times.get());
            });
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, TestServer.starter()))) {
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(wiring.modules(), TestServer.starter(), List.of(fails));
      assertThatThrownBy(() -> operationDispatcher.run(ANNA, call("fails")))
          .isInstanceOf(ServerException.class);
      assertThat(
              new String(
                  operationDispatcher.run(ANNA, call("fails")).body(), StandardCharsets.UTF_8))
          .contains("2");
    }
  }

  @Test
  @DisplayName("one that took too long and failed leaves the answer of another alone")
  void aLateFailureTakesNothing() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    AtomicInteger times = new AtomicInteger();
    Operation<Nothing, Done> late =
        Operation.longRunning(
            "late",
            Nothing.class,
            (_, _) -> {
              if (times.incrementAndGet() == 1) {
                entered.countDown();
                await(released);
                throw ServerException.internalError();
              }
              return new Done(times.get());
            });
    ServerConfig hasty = TestServer.starter().with("server.idempotency.pending-timeout = '1ms'");
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, hasty))) {
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(wiring.modules(), hasty, List.of(late));
      FutureTask<OperationResult> first =
          new FutureTask<>(() -> operationDispatcher.run(ANNA, call("late")));
      Thread.ofVirtual().name("first").start(first);
      entered.await();
      Optional<OperationResult> second = Optional.empty();
      while (second.isEmpty()) { // until the first request has expired
        second = tried(() -> operationDispatcher.run(ANNA, call("late")));
      }
      assertThat(second.get().replayed()).isFalse();
      released.countDown();
      assertThatThrownBy(first::get).hasRootCauseInstanceOf(ServerException.class);
      assertThat(operationDispatcher.run(ANNA, call("late")).replayed()).isTrue();
      assertThat(times).hasValue(2);
    }
  }

  private static Optional<OperationResult> tried(Supplier<OperationResult> run) {
    try {
      return Optional.of(run.get());
    } catch (ServerException e) {
      assertThat(e.code()).isEqualTo(ServerErrorCode.REQUEST_IN_PROGRESS);
      return Optional.empty();
    }
  }

  @Test
  @DisplayName("completed work whose answer could not be stored does not run again at once")
  void whatIsDoneIsDone() {
    AtomicInteger times = new AtomicInteger();
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    Operation<Nothing, List<Object>> done =
        Operation.longRunning(
            "done",
            Nothing.class,
            (_, _) -> {
              times.incrementAndGet();
              return endless;
            });
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, TestServer.starter()))) {
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(wiring.modules(), TestServer.starter(), List.of(done));
      assertThatThrownBy(() -> operationDispatcher.run(ANNA, call("done")))
          .isInstanceOf(KernelException.class);
      assertThat(tried(() -> operationDispatcher.run(ANNA, call("done")))).isEmpty();
      assertThat(times).hasValue(1);
    }
  }

  private static String done(
      OperationDispatcher operationDispatcher, String operation, String input) {
    OperationRequest operationRequest =
        OperationRequest.of(operation, Json.mapper().readTree(input));
    return Json.mapper()
        .readTree(operationDispatcher.run(ANNA, operationRequest).body())
        .path("id")
        .asString("");
  }

  @Test
  @DisplayName("AGT-15: a handoff and its kept answer are one commit, and it is no step of another")
  void aHandoffIsOneCommit() {
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, TestServer.starter()))) {
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(wiring.modules(), TestServer.starter(), List.of());
      done(operationDispatcher, "register_agent", "{\"agent\": \"anna\", \"type\": \"coder\"}");
      String task = done(operationDispatcher, "start_trajectory", "{\"goal\": \"Go\"}");
      String at = "\"trajectory\": \"%s\"".formatted(task);
      done(operationDispatcher, "assign_task", "{\"agent\": \"anna\", %s}".formatted(at));
      String wish =
          "{\"from\": \"anna\", \"to\": {\"type\": \"coder\"}, %s, \"notes\": \"n\", \"reason\": \"r\"}"
              .formatted(at);
      OperationRequest operationRequest =
          new OperationRequest(
              "start_handoff", Json.mapper().readTree(wish), Optional.of("k1"), Optional.empty());
      long before = wiring.modules().store().changes().head(SpaceId.DEFAULT).sequence();
      OperationResult first = operationDispatcher.run(ANNA, operationRequest);
      assertThat(wiring.modules().store().changes().head(SpaceId.DEFAULT).sequence())
          .isEqualTo(before + 1);
      OperationResult again = operationDispatcher.run(ANNA, operationRequest);
      assertThat(again.replayed()).isTrue();
      assertThat(again.body()).isEqualTo(first.body());
      String steps =
          "{\"operations\": [{\"operation\": \"start_handoff\", \"input\": %s}]}".formatted(wish);
      assertThatThrownBy(() -> done(operationDispatcher, "commit", steps))
          .isInstanceOfSatisfying(
              ServerException.class,
              e -> assertThat(e.code()).isEqualTo(ServerErrorCode.NOT_ALLOWED_IN_COMMIT));
    }
  }

  @Test
  @DisplayName("two keys of one name share neither answers nor a line of the audit log")
  void namesAreNotIdentities() {
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, TestServer.starter()))) {
      AtomicInteger times = new AtomicInteger();
      Operation<Nothing, Done> counts =
          Operation.transactional(
              "counts", Nothing.class, (_, _, _) -> new Done(times.incrementAndGet()));
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(wiring.modules(), TestServer.starter(), List.of(counts));
      operationDispatcher.run(ANNA, call("counts"));
      assertThat(operationDispatcher.run(BEN, call("counts")).replayed()).isFalse();
      OperationResult log =
          operationDispatcher.run(
              ANNA, OperationRequest.of("list_audit_entries", Json.mapper().createObjectNode()));
      assertThat(Json.mapper().readTree(log.body()).path("items").valueStream())
          .extracting(entry -> entry.path("key").asString())
          .containsExactlyInAnyOrder("1", "2");
    }
  }

  @Test
  @DisplayName("a forgotten record is in no stored answer")
  void forgettingDropsKeptAnswers() {
    try (TestServer server = TestServer.start(directory)) {
      String body = "{\"text\": \"The safe opens with 4711\", \"subject\": \"alice\"}";
      assertThat(keyed(server, "/remember", body, "k1").status()).isEqualTo(200);
      assertThat(keyed(server, "/remember", body, "k1").header("Idempotency-Replayed"))
          .isEqualTo("true");
      assertThat(server.post("/forget", "{\"subject\": \"alice\"}").status()).isEqualTo(200);
      assertThat(keyed(server, "/remember", "{\"text\": \"Anew\"}", "k1").status())
          .as("the key is free again, so that nothing of it was kept")
          .isEqualTo(200);
    }
  }

  @Test
  @DisplayName("If-Match is heeded or refused, never ignored")
  void preconditionsAreNotIgnored() {
    try (TestServer server = TestServer.start(directory)) {
      String id = server.post("/trajectories", "{\"goal\": \"Go\"}").text("id");
      String scope =
          server
              .get("/trajectories/%s/scopes".formatted(id))
              .body()
              .path("items")
              .get(0)
              .path("id")
              .asString();
      Reply closed =
          server.send(
              TestServer.json(server.request("/scopes/%s/close".formatted(scope)), "{}")
                  .header("If-Match", "\"1\""));
      assertThat(closed.text("code")).endsWith("PRECONDITION_NOT_SUPPORTED");
      Reply read =
          server.send(server.request("/trajectories/" + id).header("If-Match", "\"1\"").GET());
      assertThat(read.text("code")).endsWith("PRECONDITION_NOT_SUPPORTED");
    }
  }

  @Test
  @DisplayName("an empty key is refused, and the secret of a new key is not given twice")
  void strangeKeys() {
    try (TestServer server = TestServer.start(directory)) {
      assertThat(keyed(server, "/remember", "{\"text\": \"x\"}", "").status()).isEqualTo(400);
      String key = "{\"name\": \"ci\", \"right\": \"READ\"}";
      assertThat(keyed(server, "/keys", key, "k1").status()).isEqualTo(200);
      assertThat(keyed(server, "/keys", key, "k1").text("code")).endsWith("RESPONSE_NOT_STORED");
      assertThat(server.get("/keys").body().path("items")).hasSize(1);
    }
  }

  @Test
  @DisplayName("a key is not made when that cannot be written down")
  void nothingIsDoneUnseen() {
    try (TestServer server = TestServer.start(directory)) {
      Reply refused =
          server.send(
              TestServer.json(server.request("/keys"), "{\"name\": \"ci\", \"right\": \"READ\"}")
                  .header("Caliber-Space", "nowhere"));
      assertThat(refused.status()).isEqualTo(404);
      assertThat(server.get("/keys").body().path("items")).isEmpty();
    }
  }

  @Test
  @DisplayName("API-10: a null in a list or a map is refused with its location")
  void nullsAreRefused() {
    try (TestServer server = TestServer.start(directory)) {
      assertThat(server.post("/search", "{\"query\": \"x\", \"tables\": [null]}").text("pointer"))
          .startsWith("/tables");
      assertThat(server.post("/trajectories", "{\"goal\": \"x\", \"tags\": [null]}").status())
          .isEqualTo(400);
      assertThat(server.post("/dsl/validate", "{\"files\": {\"a\": null}}").text("pointer"))
          .startsWith("/files");
      assertThat(
              server
                  .post("/keys", "{\"name\": \"x\", \"right\": \"READ\", \"spaces\": [null]}")
                  .text("pointer"))
          .startsWith("/spaces");
      assertThat(
              server
                  .post("/search", "{\"query\": \"x\", \"tables\": [\"a\\u0000\"]}")
                  .text("pointer"))
          .isEqualTo("/tables/0");
      Reply steps = server.post("/commit", "{\"operations\": [null]}");
      assertThat(steps.text("pointer")).startsWith("/operations");
      Reply graph =
          new McpCaller(server)
              .modern(
                  "tools/call",
                  "{\"name\": \"create_entities\", \"arguments\": {\"entities\": [null]}}");
      assertThat(graph.body().toString()).contains("INVALID_INPUT").doesNotContain("INTERNAL");
    }
  }
}
