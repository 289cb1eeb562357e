package dev.caliber.models;

import static dev.caliber.models.HostileServer.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import dev.caliber.testkit.TestEngines;
import dev.caliber.testkit.search.SearchFixture;
import dev.caliber.testkit.search.TestMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  @BeforeEach
  void start() throws IOException {
    server = new HostileServer();
    server.always(this::hash);
    models =
        Models.open(
            ModelsConfig.starter()
                .with(
                    "models.provider = 'openai'",
                    "models.http.endpoint = '%s'".formatted(server.address("/v1/")),
                    "models.http.model = 'm'",
                    "models.http.dimensions = " + DIMENSIONS,
                    "models.http.query-prefix = ''",
                    "models.http.passage-prefix = ''"),
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
    List<Embedding> found =
        hashes.embed(EmbeddingPurpose.PASSAGE, Json.read(body, Request.class).input());
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

  private SearchNode node() {
    return openNode(models.embedder());
  }

  /** Returns the embedding job, once the follower has scheduled it. */
  private static Job job(SearchNode searchNode) {
    while (true) {
      List<Job> jobs =
          searchNode.store().read(SPACE, s -> s.scan(Query.over(Jobs.TABLE), 1)).records();
      if (!jobs.isEmpty()) {
        return jobs.getFirst();
      }
      Thread.onSpinWait();
    }
  }

  /** Indexes two texts: the first gets its vector, the second meets this answer of the server. */
  private SearchNode refusing(HostileServer.Step step) {
    SearchNode searchNode = node();
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.embedAll();
    server.always(step);
    searchNode.put(TestMessage.of("b", "coffee"));
    searchNode.awaitIndexed();
    job(searchNode);
    assertThat(searchNode.jobs().runDue(SPACE)).isEqualTo(1);
    return searchNode;
  }

  @Test
  @DisplayName("LLM-07: the job that embeds comes back when the provider wants it to")
  void thePauseOfTheProviderIsKept() {
    SearchNode searchNode = refusing(reply(429, "{}", "Retry-After", "120"));
    assertThat(job(searchNode).due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(2)));
    int asked = server.seen().size();
    clock.advance(Duration.ofSeconds(119));
    assertThat(searchNode.jobs().runDue(SPACE)).isZero();
    assertThat(server.seen()).hasSize(asked);
    server.always(this::hash);
    clock.advance(Duration.ofSeconds(1));
    searchNode.embedAll();
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(2);
  }

  @Test
  @DisplayName("LLM-07: no provider puts the job off for longer than settings allow")
  void thePauseOfTheProviderIsBounded() {
    SearchNode searchNode = refusing(reply(429, "{}", "Retry-After", "864000"));
    assertThat(job(searchNode).due())
        .isEqualTo(clock.instant().plus(config().jobs().retryAfterLimit()));
  }

  @Test
  @DisplayName("LLM-07: a job that was given up is not revived before its pause is over")
  void aJobThatWasGivenUpKeepsItsPause() {
    SearchNode searchNode = refusing(reply(429, "{}", "Retry-After", "1800"));
    for (int i = 1; i < config().jobs().attemptsLimit(); i++) {
      clock.advance(Duration.ofMinutes(30));
      assertThat(searchNode.jobs().runDue(SPACE)).isEqualTo(1);
    }
    assertThat(job(searchNode).state()).isEqualTo(dev.caliber.store.job.JobState.DEAD);
    assertThat(job(searchNode).due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(30)));
    server.always(this::hash);
    clock.advance(Duration.ofMinutes(30));
    searchNode.embedAll();
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(2);
  }

  @Test
  @DisplayName("LLM-09: a text or a query that was embedded once is never sent again")
  void nothingIsSentTwice() {
    SearchNode searchNode = node();
    searchNode.put(TestMessage.of("a", "tea with milk"));
    searchNode.embedAll();
    assertThat(searchNode.searchText("milk").hits())
        .extracting(SearchHit::key)
        .containsExactly("a");
    int asked = server.seen().size();
    searchNode.put(TestMessage.of("b", "tea with milk").withSpeaker("bob"));
    searchNode.embedAll();
    assertThat(searchNode.searchText("milk").hits()).hasSize(2);
    searchNode.search().rebuild(SPACE, dev.caliber.store.ProgressListener.NONE);
    assertThat(searchNode.searchText("milk").hits()).hasSize(2);
    assertThat(server.seen()).hasSize(asked);
    searchNode.searchText("honey");
    assertThat(server.seen()).hasSize(asked + 1);
  }

  @Test
  @DisplayName("LLM-05: a refused key marks no text as failed; with the right key all are embedded")
  void aRefusedKeyLosesNothing() {
    SearchNode searchNode = refusing(reply(401, "{}"));
    SearchStatus status = searchNode.search().status(SPACE);
    assertThat(status.failed()).isZero();
    assertThat(status.backlog()).isEqualTo(1);
    assertThat(status.degraded().orElseThrow())
        .contains("some texts have no vector yet", "REQUEST_REJECTED", "401");
    server.always(this::hash);
    clock.advance(Duration.ofHours(1));
    searchNode.embedAll();
    assertThat(searchNode.search().status(SPACE).degraded()).isEmpty();
  }

  @Test
  @DisplayName("LLM-08: a server whose vectors have another length is named, and nothing is lost")
  void vectorsOfAnotherLengthAreNamed() {
    SearchNode searchNode = refusing((exchange, body) -> answer(exchange, body, DIMENSIONS / 2));
    assertThat(searchNode.search().status(SPACE).degraded().orElseThrow())
        .contains("DIMENSION_MISMATCH", "32", "16");
    assertThat(searchNode.searchText("coffee").degraded().orElseThrow())
        .contains("DIMENSION_MISMATCH");
    assertThat(searchNode.searchKeys(query("coffee").withWeights(ONLY_WORDS))).containsExactly("b");
    server.always(this::hash);
    clock.advance(Duration.ofHours(1));
    searchNode.embedAll();
    assertThat(searchNode.searchText("coffee").degraded()).isEmpty();
  }

  @Test
  @DisplayName("LLM-01: while a server is away, texts are found by their words and wait")
  void aServerThatIsAwayLeavesWords() {
    SearchNode searchNode = node();
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.embedAll();
    server.close();
    searchNode.put(TestMessage.of("b", "green tea"));
    assertThat(searchNode.searchKeys(query("green").withWeights(ONLY_WORDS))).containsExactly("b");
    assertThat(searchNode.search().status(SPACE).backlog()).isEqualTo(1);
  }
}
