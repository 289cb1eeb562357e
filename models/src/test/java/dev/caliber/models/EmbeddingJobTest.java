package dev.caliber.models;

import static dev.caliber.models.HostileServer.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.store.Job;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import dev.caliber.store.spi.Embedding;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.search.Message;
import dev.caliber.testkit.search.SearchFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Search whose vectors come from a real server, which does not always give them. */
final class EmbeddingJobTest extends SearchFixture {

  private final Embedder hashes = Embedder.hashing(DIMENSIONS);
  private HostileServer server;
  private Models models;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  @BeforeEach
  void start() throws IOException {
    server = new HostileServer();
    server.always(this::hash);
    ModelsConfig starter = ModelsConfig.starter();
    ModelsConfig.Http http = starter.http();
    models =
        Models.open(
            starter
                .withProvider(ModelsConfig.Provider.OPENAI)
                .withHttp(
                    new ModelsConfig.Http(
                        server.address("/v1/"),
                        "m",
                        List.of(),
                        DIMENSIONS,
                        "",
                        "",
                        Optional.empty(),
                        http.limits())),
            Map.of(),
            clock);
  }

  @AfterEach
  void stop() {
    closeSearch();
    models.close();
    server.close();
  }

  /** Answers with the hashes of the words. */
  private void hash(com.sun.net.httpserver.HttpExchange exchange, String body) throws IOException {
    answer(exchange, body, DIMENSIONS);
  }

  private void answer(com.sun.net.httpserver.HttpExchange exchange, String body, int length)
      throws IOException {
    record Request(List<String> input) {}
    List<Embedding> found = hashes.embed(Purpose.PASSAGE, Json.read(body, Request.class).input());
    List<Map<String, Object>> items =
        IntStream.range(0, found.size())
            .mapToObj(
                i -> Map.<String, Object>of("index", i, "embedding", cut(found.get(i), length)))
            .toList();
    reply(200, Json.text(Map.of("model", "m", "data", items))).answer(exchange, body);
  }

  private static float[] cut(Embedding embedding, int length) {
    return java.util.Arrays.copyOf(((Embedding.Vector) embedding).values(), length);
  }

  private Node node() {
    return node(models.embedder());
  }

  /** The job that embeds, once the follower has asked for it. */
  private static Job job(Node node) {
    while (true) {
      List<Job> jobs = node.store().read(SPACE, s -> s.scan(Query.over(Jobs.TABLE), 1)).records();
      if (!jobs.isEmpty()) {
        return jobs.getFirst();
      }
      Thread.onSpinWait();
    }
  }

  /** One text has its vector, the next one meets a server that answers so. */
  private Node refusing(HostileServer.Step step) {
    Node node = node();
    node.put(Message.of("a", "tea"));
    node.embed();
    server.always(step);
    node.put(Message.of("b", "coffee"));
    node.settle();
    job(node);
    assertThat(node.jobs().runDue(SPACE)).isEqualTo(1);
    return node;
  }

  @Test
  @DisplayName("LLM-07: the job that embeds comes back when the provider wants it to")
  void thePauseOfTheProviderIsKept() {
    Node node = refusing(reply(429, "{}", "Retry-After", "120"));
    assertThat(job(node).due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(2)));
    int asked = server.seen().size();
    clock.advance(Duration.ofSeconds(119));
    assertThat(node.jobs().runDue(SPACE)).isZero();
    assertThat(server.seen()).hasSize(asked);
    server.always(this::hash);
    clock.advance(Duration.ofSeconds(1));
    node.embed();
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(2);
  }

  @Test
  @DisplayName("LLM-07: no provider puts the job off for longer than settings allow")
  void thePauseOfTheProviderIsBounded() {
    Node node = refusing(reply(429, "{}", "Retry-After", "864000"));
    assertThat(job(node).due()).isEqualTo(clock.instant().plus(config().jobs().retryAfterLimit()));
  }

  @Test
  @DisplayName("LLM-07: a job that was given up is not revived before its pause is over")
  void aJobThatWasGivenUpKeepsItsPause() {
    Node node = refusing(reply(429, "{}", "Retry-After", "1800"));
    for (int i = 1; i < config().jobs().attemptsLimit(); i++) {
      clock.advance(Duration.ofMinutes(30));
      assertThat(node.jobs().runDue(SPACE)).isEqualTo(1);
    }
    assertThat(job(node).state()).isEqualTo(dev.caliber.store.JobState.DEAD);
    assertThat(job(node).due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(30)));
    server.always(this::hash);
    clock.advance(Duration.ofMinutes(30));
    node.embed();
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(2);
  }

  @Test
  @DisplayName("LLM-09: a text or a query that was embedded once is never sent again")
  void nothingIsSentTwice() {
    Node node = node();
    node.put(Message.of("a", "tea with milk"));
    node.embed();
    assertThat(node.find("milk").hits()).extracting(SearchHit::key).containsExactly("a");
    int asked = server.seen().size();
    node.put(Message.of("b", "tea with milk").by("bob"));
    node.embed();
    assertThat(node.find("milk").hits()).hasSize(2);
    node.search().rebuild(SPACE, dev.caliber.store.Progress.NONE);
    assertThat(node.find("milk").hits()).hasSize(2);
    assertThat(server.seen()).hasSize(asked);
    node.find("honey");
    assertThat(server.seen()).hasSize(asked + 1);
  }

  @Test
  @DisplayName("LLM-05: a refused key marks no text as hopeless; the right one mends all")
  void aRefusedKeyLosesNothing() {
    Node node = refusing(reply(401, "{}"));
    SearchStatus status = node.search().status(SPACE);
    assertThat(status.failed()).isZero();
    assertThat(status.backlog()).isEqualTo(1);
    assertThat(status.degraded().orElseThrow())
        .contains("texts wait for their vectors", "REQUEST_REFUSED", "401");
    server.always(this::hash);
    clock.advance(Duration.ofHours(1));
    node.embed();
    assertThat(node.search().status(SPACE).degraded()).isEmpty();
  }

  @Test
  @DisplayName("LLM-08: a server whose vectors have another length is named, and nothing is lost")
  void vectorsOfAnotherLengthAreNamed() {
    Node node = refusing((exchange, body) -> answer(exchange, body, DIMENSIONS / 2));
    assertThat(node.search().status(SPACE).degraded().orElseThrow())
        .contains("DIMENSION_MISMATCH", "32", "16");
    assertThat(node.find("coffee").degraded().orElseThrow()).contains("DIMENSION_MISMATCH");
    assertThat(node.keys(query("coffee").weighing(ONLY_WORDS))).containsExactly("b");
    server.always(this::hash);
    clock.advance(Duration.ofHours(1));
    node.embed();
    assertThat(node.find("coffee").degraded()).isEmpty();
  }

  @Test
  @DisplayName("LLM-01: while a server is away, texts are found by their words and wait")
  void aServerThatIsAwayLeavesWords() {
    Node node = node();
    node.put(Message.of("a", "tea"));
    node.embed();
    server.close();
    node.put(Message.of("b", "green tea"));
    assertThat(node.keys(query("green").weighing(ONLY_WORDS))).containsExactly("b");
    assertThat(node.search().status(SPACE).backlog()).isEqualTo(1);
  }
}
