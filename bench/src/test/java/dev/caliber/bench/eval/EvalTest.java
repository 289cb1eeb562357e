package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.bench.Main;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that data sets are read by their layout, and scored through the real store and index. */
class EvalTest {

  private static final String LOCOMO =
      """
      [{"sample_id": "c1", "conversation": {
        "speaker_a": "Ann", "speaker_b": "Bob",
        "session_2_date_time": "1:05 pm on 9 June, 2023",
        "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "The trout was huge."}],
        "session_1_date_time": "1:56 am on 8 May, 2023",
        "session_1": [
          {"speaker": "Ann", "dia_id": "D1:1", "text": "Where did you fish?"},
          {"speaker": "Bob", "dia_id": "D1:2", "text": "In the lake.", "blip_caption": "a boat"}]},
        "qa": [
          {"question": "Where did Bob fish?", "evidence": ["D1:2; D:2:1"], "category": 4},
          {"question": "Who sang?", "category": 5}]}]
      """;

  @TempDir Path directory;

  private Path file(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  @Test
  void locomoHasSessionsInOrderWithTheirTimesAndCaptions() throws IOException {
    EvalCorpus corpus = EvalFormat.LOCOMO.read(file("l.json", LOCOMO)).getFirst();
    assertThat(corpus.documents())
        .extracting(EvalDocument::id)
        .containsExactly("D1:1", "D1:2", "D2:1");
    EvalDocument turn = corpus.documents().get(1);
    assertThat(turn.text()).isEqualTo("In the lake. [shares a boat]");
    assertThat(turn.speaker()).contains("Bob");
    assertThat(turn.session()).contains("D1");
    assertThat(turn.time()).contains(Instant.parse("2023-05-08T01:56:00Z"));
    assertThat(corpus.questions().getFirst().gold()).containsOnlyKeys("D1:2", "D2:1");
    assertThat(corpus.questions().getLast().hasGold()).isFalse();
  }

  @Test
  void idsOfTurnsAreReadDespiteSlips() {
    assertThat(TurnIds.parseAll(List.of("D1:2-D1:4", "D:11:26", "D8:06, D9:17", "D", "")))
        .containsExactly("D1:2", "D1:3", "D1:4", "D11:26", "D8:6", "D9:17", "D");
  }

  @Test
  void realtalkIsADirectoryOfChats() throws IOException {
    file(
        "rt/Chat_1_Ann_Bob.json",
        """
        {"name": {"speaker_1": "Ann", "speaker_2": "Bob"},
         "session_1": [{"clean_text": "Hi", "speaker": "Ann", "dia_id": "D1:1",
           "date_time": "29.12.2023, 08:15:30"}],
         "session_1_date_time": "29.12.2023, 08:15:30",
         "qa": [{"question": "Who greets?", "answer": "Ann", "evidence": ["D1:1"], "category": 1}]}
        """);
    EvalCorpus chat = EvalFormat.REALTALK.read(directory.resolve("rt")).getFirst();
    assertThat(chat.id()).isEqualTo("Chat_1_Ann_Bob");
    assertThat(chat.documents().getFirst().time()).contains(Instant.parse("2023-12-29T08:15:30Z"));
  }

  @Test
  void beamHasMessagesAndSidesOfContradictions() throws IOException {
    file(
        "beam/1/chat.json",
        """
        [{"batch_number": 1, "time_anchor": "March-15-2024", "turns": [[
          {"role": "user", "id": 0, "content": "I never used Flask ->-> 1,1"},
          {"role": "assistant", "id": 1, "content": "Noted."}]]}]
        """);
    file(
        "beam/1/probing_questions.json",
        """
        {"abstention": [{"question": "Why?"}],
         "contradiction_resolution": [{"question": "Did I use Flask?",
           "source_chat_ids": {"first_statement": [0], "second_statement": [[1]]}}]}
        """);
    EvalCorpus chat = EvalFormat.BEAM.read(directory.resolve("beam")).getFirst();
    assertThat(chat.documents().getFirst().text()).isEqualTo("I never used Flask");
    assertThat(chat.documents().getFirst().time())
        .isEqualTo(Optional.of(Instant.parse("2024-03-15T00:00:00Z")));
    assertThat(chat.questions().getLast().sides()).isEqualTo(List.of(Set.of("0"), Set.of("1")));
    assertThat(chat.questions().getLast().gold()).containsOnlyKeys("0", "1");
  }

  @Test
  void cacmIsAnArchiveWithTopicsAndJudgements() throws IOException {
    Path cacm = Files.createDirectories(directory.resolve("cacm"));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(cacm.resolve("cacm.tar.gz")))) {
      out.write(
          tar(
              "CACM-0001.html",
              "<html><pre>\nSparse &amp; fast\n\nCA581203 JB\n\n1 5 1\n7\t5\t1\n8 4 1\n"));
    }
    file("cacm/topics.cacm.txt", "<DOC>\n<DOCNO> 1 </DOCNO>\n sparse\n sets\n</DOC>\n");
    file("cacm/qrels.cacm.txt", "1 Q0 CACM-0001 1\n2 Q0 CACM-0001 0\n");
    EvalCorpus corpus = EvalFormat.CACM.read(cacm).getFirst();
    assertThat(corpus.documents()).hasSize(1);
    assertThat(corpus.documents().getFirst().text()).isEqualTo("Sparse & fast");
    assertThat(corpus.documents().getFirst().links()).containsExactly("CACM-0001", "CACM-0007");
    assertThat(corpus.questions().getFirst().text()).isEqualTo("sparse sets");
    assertThat(corpus.questions().getFirst().gold()).isEqualTo(Map.of("CACM-0001", 1));
  }

  private static byte[] tar(String name, String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    byte[] header = new byte[512];
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(nameBytes, 0, header, 0, nameBytes.length);
    byte[] size = "%011o".formatted(bytes.length).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(size, 0, header, 124, size.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(header);
    out.write(bytes);
    out.write(new byte[Math.floorMod(-bytes.length, 512) + 1024]);
    return out.toByteArray();
  }

  @Test
  void beirHasGradesAndOnlyJudgedQueries() throws IOException {
    file("b/corpus.jsonl", "{\"_id\": \"d1\", \"title\": \"T\", \"text\": \"words\"}\n");
    file(
        "b/queries.jsonl",
        "{\"_id\": \"q1\", \"text\": \"w\"}\n{\"_id\": \"q2\", \"text\": \"v\"}\n");
    file("b/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td1\t0\n");
    EvalCorpus corpus = EvalFormat.BEIR.read(directory.resolve("b")).getFirst();
    assertThat(corpus.questions()).hasSize(1);
    assertThat(corpus.questions().getFirst().gold()).isEqualTo(Map.of("d1", 2));
    assertThat(corpus.documents().getFirst().title()).contains("T");
  }

  @Test
  void hotpotTakesItsCorpusFromContextsOrFromTheFileBesideIt() throws IOException {
    String questions =
        """
        [{"_id": "q", "question": "Who?", "supporting_facts": [["A", 0]],
          "context": [["A", ["One. ", "Two."]], ["B", ["Three."]]]}]
        """;
    Path file = file("h/set.json", questions);
    EvalCorpus own = EvalFormat.HOTPOT.read(file).getFirst();
    assertThat(own.documents())
        .extracting(EvalDocument::text)
        .containsExactly("One. Two.", "Three.");
    file(
        "h/set_corpus.json",
        """
        [{"title": "A", "text": "Other."}, {"title": "A", "text": "One. Two."}]
        """);
    EvalCorpus beside = EvalFormat.HOTPOT.read(directory.resolve("h")).getFirst();
    assertThat(beside.documents()).extracting(EvalDocument::id).containsExactly("A", "A#2");
    assertThat(beside.questions().getFirst().gold()).containsOnlyKeys("A#2");
  }

  @Test
  void anErrorNamesFilePlaceAndWhatWasWanted() throws IOException {
    Path bad =
        file("bad.json", LOCOMO.replace("\"text\": \"w", "").replace("\"dia_id\": \"D1:1\",", ""));
    assertThatThrownBy(() -> EvalFormat.LOCOMO.read(bad))
        .isInstanceOf(CaliberException.class)
        .hasMessageContaining(
            "bad.json, at [0].conversation.session_1[0]: expected 'dia_id', found");
    Path torn = file("torn.json", "[{");
    assertThatThrownBy(() -> EvalFormat.LOCOMO.read(torn)).hasMessageContaining("expected JSON");
    Path qrels = file("q/qrels/test.tsv", "h\nq1 d1 1\n");
    assertThatThrownBy(() -> EvalFormat.BEIR.read(directory.resolve("q")))
        .hasMessageContaining(qrels + ", at line 2");
  }

  @ParameterizedTest
  @EnumSource
  void everyFormatRefusesWhatIsNotThereOrNotItsOwn(EvalFormat format) throws IOException {
    refuses(format, directory.resolve("nowhere"), "nowhere");
    refuses(format, Files.createDirectories(directory.resolve("empty")), "empty");
    refuses(format, file("object.json", "{}"), "object.json");
    refuses(format, file("array.json", "[]"), "array.json");
    refuses(format, file("nothing.json", ""), "nothing.json");
    Path torn = directory.resolve("torn.json");
    Files.write(torn, new byte[] {(byte) 0xff, (byte) 0xfe});
    refuses(format, torn, "torn.json");
  }

  private static void refuses(EvalFormat format, Path data, String name) {
    assertThatThrownBy(() -> format.read(data))
        .isInstanceOfSatisfying(
            CaliberException.class,
            e -> {
              assertThat(e.message()).contains(name).containsAnyOf("expected", "Cannot read");
              assertThat(e.advice().orElseThrow()).contains("docs/evaluation.md");
            });
  }

  @Test
  void filesWithHalfOfWhatIsNeededAreRefusedWithTheirPlace() throws IOException {
    Path hotpot =
        file(
            "half.json",
            "[{\"question\": \"q\", \"supporting_facts\": [[]], \"context\": [[\"A\"]]}]");
    assertThatThrownBy(() -> EvalFormat.HOTPOT.read(hotpot))
        .hasMessageContaining(
            "half.json, at [0].context[0]: expected at least 2 elements, found 1");
    file("half/chat.json", "[{\"batch_number\": 1, \"turns\": [[{\"id\": 1}]]}]");
    assertThatThrownBy(() -> EvalFormat.BEAM.read(directory.resolve("half")))
        .hasMessageContaining("chat.json, at [0].turns[0][0]: expected ");
    file("beir/corpus.jsonl", "{\"_id\": \"d\"}\n{\"_id\"\n");
    file("beir/queries.jsonl", "{\"_id\": \"q\", \"text\": \"w\"}\n");
    file("beir/qrels/test.tsv", "q\td\t1\n");
    assertThatThrownBy(() -> EvalFormat.BEIR.read(directory.resolve("beir")))
        .hasMessageContaining("corpus.jsonl, at line 2: expected JSON");
    file("beir/corpus.jsonl", "{\"_id\": \"d\"}\n");
    assertThat(EvalFormat.BEIR.read(directory.resolve("beir")).getFirst().questions())
        .as("a list of judgements without names of columns")
        .hasSize(1);
    Path chat = file("chats/Chat_1.json", "{\"session_1\": [{\"speaker\": \"A\"}], \"qa\": []}");
    assertThatThrownBy(() -> EvalFormat.REALTALK.read(chat))
        .hasMessageContaining("Chat_1.json, at");
  }

  @Test
  void theCommandScoresThroughStoreAndIndexAndLeavesReceipts() throws IOException {
    Path receipts = directory.resolve("receipts.jsonl");
    Path json = directory.resolve("figures.json");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new String[] {
              "eval",
              "retrieval",
              "--format=locomo",
              "--lexical",
              "--weigh=links=0.4,time=0.1",
              "--data=" + file("l.json", LOCOMO),
              "--receipts=" + receipts,
              "--json=" + json,
              "--keep=" + directory.resolve("kept")
            },
            Map.of(),
            new PrintWriter(out, true),
            new PrintWriter(err, true));
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("--weigh links=0.4,time=0.1", "R@10", "LMEB-like", "Hit@1", "published: DRAGON");
    List<String> lines = Files.readAllLines(receipts);
    assertThat(lines).hasSize(2);
    assertThat(Json.mapper().readTree(lines.getFirst()).at("/gold/D1:2").asInt()).isEqualTo(1);
    assertThat(Json.mapper().readTree(lines.getFirst()).at("/hits/0/channels/lexical").asDouble())
        .isPositive();
    assertThat(Json.mapper().readTree(json.toFile()).at("/tables/0/name").asString())
        .isEqualTo("Turns");
  }

  @Test
  void contradictionsAreScoredAgainstLabelledPairs() throws IOException {
    file(
        "1/chat.json",
        """
        [{"batch_number": 1, "turns": [[
          {"id": 0, "role": "user", "content": "I just attended a workshop on resume standards ->-> 1,2"},
          {"id": 1, "role": "assistant", "content": "I have never attended a workshop on anything."},
          {"id": 2, "role": "user", "content": "I've never attended any workshop on resume standards."},
          {"id": 3, "role": "user", "content": "I've never painted a big house."},
          {"id": 4, "role": "user", "content": "I painted a big house."}]]}]
        """);
    file(
        "1/probing_questions.json",
        """
        {"contradiction_resolution": [
          {"question": "Have I attended a workshop?",
           "source_chat_ids": {"first_statement": [2], "second_statement": [0]}},
          {"question": "Have I flown?",
           "source_chat_ids": {"first_statement": [3], "second_statement": [0]}}]}
        """);
    Path receipts = directory.resolve("receipts.jsonl");
    StringWriter out = new StringWriter();
    int status =
        Main.run(
            new String[] {
              "eval",
              "contradictions",
              "--data",
              directory.toString(),
              "--receipts",
              receipts.toString(),
              "--json",
              directory.resolve("figures.json").toString()
            },
            Map.of(),
            new PrintWriter(out),
            new PrintWriter(new StringWriter()));
    assertThat(status).isZero();
    assertThat(out.toString())
        .contains("precision     100.0 %", "recall, questions     50.0 % (1 of 2)", "change");
    assertThat(Files.readAllLines(receipts))
        .anyMatch(line -> line.contains("\"label\":\"contradiction\""))
        .anyMatch(line -> line.contains("\"rule\":\"change\""))
        .anyMatch(line -> line.contains("\"missed\":\"1/1\""));
    assertThat(Files.readString(directory.resolve("figures.json"))).contains("\"found\":1");
  }
}
