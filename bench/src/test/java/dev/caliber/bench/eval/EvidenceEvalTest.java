package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.Main;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of evidence under a budget, on a conversation so small that the result is known. */
class EvidenceEvalTest {
  private static final int ROOM = 4000;
  private static final String SHORT = "The trout was huge.";
  private static final String LONG =
      "The trout, \u9c52\u9b5a, was so huge that Zo\u00eb\u2019s na\u00efve scales broke \ud83d\udc1f, and it was huge.";

  private static final EvidenceScores.WindowEvidence NOTHING =
      new EvidenceScores.WindowEvidence(Set.of(), 0);

  @TempDir Path directory;

  private Path conversation(List<String> turns) throws IOException {
    String told =
        IntStream.range(0, turns.size())
            .mapToObj(
                i ->
                    Json.text(
                        Map.of("speaker", "Ann", "dia_id", "D1:" + (i + 1), "text", turns.get(i))))
            .collect(Collectors.joining(","));
    return Files.writeString(
        Files.createTempFile(directory, "talk", ".json"),
        """
        [{"sample_id": "c1", "conversation": {"speaker_a": "Ann", "speaker_b": "Bob",
          "session_1_date_time": "1:56 am on 8 May, 2023", "session_1": [%s]},
          "qa": [{"question": "How big was the trout?", "evidence": ["D1:1"], "category": 4}]}]
        """
            .formatted(told));
  }

  @Test
  @DisplayName("OBS-11: the command scores windows and both baselines, and draws their curve")
  void theCommandScoresAllThree() throws IOException {
    List<String> turns = new ArrayList<>(List.of(SHORT));
    IntStream.range(0, 120)
        .forEach(
            i -> turns.add("On day %d we talked about the garden and nothing else.".formatted(i)));
    Path json = directory.resolve("figures.json");
    Path svg = directory.resolve("curve.svg");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new String[] {
              "eval",
              "assemble",
              "--data=" + conversation(turns),
              "--json=" + json,
              "--svg=" + svg,
              "--limit=1"
            },
            Map.of(),
            new PrintWriter(out, true),
            new PrintWriter(err, true));
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString()).contains("1 questions", "assembled window", "last turns");
    assertThat(Files.readString(svg)).contains("top turns by vector");
    JsonNode figures = Json.mapper().readTree(json.toFile()).path("figures");
    assertThat(figures).hasSize(12);
    for (JsonNode row : figures) {
      assertThat(row.path("tokens").asInt()).isBetween(1, row.path("budget").asInt());
      boolean last = row.path("method").asString().equals("last turns");
      boolean found = !last || row.path("budget").asInt() == ROOM;
      assertThat(row.path("evidence").asDouble()).as(row.toString()).isEqualTo(found ? 100 : 0);
    }
  }

  @Test
  @DisplayName("OBS-11: both baselines are filled by the counter that fills the window")
  void theSameCounterFillsAll() throws IOException {
    for (String tokenizer : List.of("o200k_base", "cl100k_base")) {
      Map<EvidenceMethod, Integer> small = tokens(tokenizer, SHORT);
      Map<EvidenceMethod, Integer> large = tokens(tokenizer, LONG);
      int wanted = counted(tokenizer, LONG) - counted(tokenizer, SHORT);
      for (EvidenceMethod baseline : List.of(EvidenceMethod.LAST, EvidenceMethod.DENSE)) {
        assertThat(large.getOrDefault(baseline, 0) - small.getOrDefault(baseline, 0))
            .as(tokenizer + ", " + baseline.title())
            .isEqualTo(wanted);
      }
    }
    assertThat(counted("o200k_base", LONG)).isNotEqualTo(counted("cl100k_base", LONG));
  }

  private static int counted(String tokenizer, String text) {
    return Models.tokenCounters(ModelsConfig.starter()).byName(tokenizer).orElseThrow().count(text);
  }

  private Map<EvidenceMethod, Integer> tokens(String tokenizer, String turn) throws IOException {
    Path place = Files.createTempDirectory(directory, "store");
    EvalCorpus corpus = EvalFormat.LOCOMO.read(conversation(List.of(turn))).getFirst();
    ModelsConfig hashes = ModelsConfig.starter().withProvider(ModelsConfig.EmbeddingProvider.HASH);
    try (Models models = Models.open(hashes, Map.of(), Stopwatch.clock());
        AssembleStore store =
            AssembleStore.open(
                BenchLocations.sqliteIn(place.resolve("data")),
                place.resolve("indexes"),
                models,
                RuntimeConfig.starter(),
                tokenizer,
                new ProgressPrinter(new PrintWriter(new StringWriter())))) {
      AssembleStore.LoadedConversation loadedConversation = store.load(corpus);
      EvalQuestion question = corpus.questions().getFirst();
      return List.of(EvidenceMethod.values()).stream()
          .collect(
              Collectors.toMap(
                  method -> method,
                  method -> inside(store, loadedConversation, question, method).tokens()));
    }
  }

  private static EvidenceScores.WindowEvidence inside(
      AssembleStore store,
      AssembleStore.LoadedConversation loadedConversation,
      EvalQuestion question,
      EvidenceMethod method) {
    EvidenceScores.WindowEvidence found =
        store
            .evidenceByBudget(loadedConversation, question, method, List.of(ROOM))
            .getOrDefault(ROOM, NOTHING);
    assertThat(found.turns()).as(method.title()).containsExactly("D1:1");
    return found;
  }
}
