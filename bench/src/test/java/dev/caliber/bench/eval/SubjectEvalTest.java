package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.bench.Main;
import dev.caliber.bench.eval.SubjectRecords.RecordedSession;
import dev.caliber.bench.eval.SubjectRecords.SubjectNote;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.EntityType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that records of several subjects are read, loaded into one space and scored there. */
class SubjectEvalTest {

  private static final String CONVERSATIONS =
      """
      [{"sample_id": "c1", "conversation": {
        "session_1_date_time": "1:56 am on 8 May, 2023",
        "session_1": [
          {"speaker": "Ann", "dia_id": "D1:1", "text": "Where did you fish?"},
          {"speaker": "Bob", "dia_id": "D1:2", "text": "In the lake, a huge trout."}],
        "session_2_date_time": "1:05 pm on 9 June, 2023",
        "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "My boat has a leak."}]},
        "observation": {
          "session_1_observation": {
            "Ann": [],
            "Bob": [["Bob caught a trout in the lake.", "D1:2"], ["Bob likes water.", ["D1:2", "D2:1"]]]}},
        "qa": [
          {"question": "Where did Bob catch the trout?", "evidence": ["D1:2"], "category": 4},
          {"question": "Who sang?", "category": 5}]},
       {"sample_id": "c2", "conversation": {
        "session_1_date_time": "1:56 am on 7 May, 2023",
        "session_1": [{"speaker": "Eve", "dia_id": "D1:2", "text": "I baked bread in Graz."}]},
        "observation": {"session_1_observation": {"Eve": [["Eve bakes.", "D1:2"]]}},
        "qa": [{"question": "What did Eve bake?", "evidence": ["D1:2"], "category": 1}]}]
      """;

  private static final String PEOPLE =
      """
      [{"subject": "ann", "notes": ["My parrot is called Rio"],
        "chats": [[{"role": "user", "text": "Order 77-1 is late"},
                   {"role": "assistant", "text": "It comes on Friday."}]],
        "artifacts": ["pasta.txt: boil for nine minutes"],
        "questions": [
          {"query": "parrot", "kind": "note", "expects": "Rio"},
          {"query": "77-1", "kind": "turn", "expects": "77-1"},
          {"query": "pasta.txt", "kind": "artifact", "expects": "nine minutes"},
          {"query": "Who sings?", "kind": "note", "expects": "Caruso"}]},
       {"subject": "bob", "notes": ["My parrot is called Kiki"],
        "questions": [{"query": "parrot", "note_contains": "Kiki"}]}]
      """;

  @TempDir Path directory;

  private Path file(String content) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "data", ".json"), content);
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(arguments, Map.of(), new PrintWriter(out, true), new PrintWriter(err, true));
    assertThat(status).as(err.toString()).isZero();
    return out.toString() + err;
  }

  @Test
  void aConversationIsASubjectWithSessionsTurnsAndNotes() throws IOException {
    List<SubjectCorpus> corpora = LocomoSubjectReader.read(file(CONVERSATIONS));
    SubjectRecords first = corpora.getFirst().records();
    assertThat(first.subject()).isEqualTo("c1");
    assertThat(first.sessions())
        .extracting(RecordedSession::name)
        .containsExactly("c1/D1", "c1/D2");
    RecordedSession recordedSession = first.sessions().getFirst();
    assertThat(recordedSession.time()).isEqualTo(Instant.parse("2023-05-08T01:56:00Z"));
    assertThat(recordedSession.turns().getLast().labels().externalId()).contains("D1:2");
    assertThat(recordedSession.turns().getLast().labels().subject()).contains("c1");
    assertThat(recordedSession.turns().getLast().labels().metadata())
        .containsEntry("speaker", "Bob");
    assertThat(recordedSession.notes())
        .containsExactly(
            new SubjectNote("Bob caught a trout in the lake.", Optional.of("Bob"), List.of("D1:2")),
            new SubjectNote("Bob likes water.", Optional.of("Bob"), List.of("D1:2", "D2:1")));
    assertThat(first.sessions().getLast().notes()).isEmpty();
    Path without = file(CONVERSATIONS.replace("\"observation\"", "\"other\""));
    assertThatThrownBy(() -> LocomoSubjectReader.read(without))
        .hasMessageContaining("at [0]: expected 'observation', found none");
  }

  @Test
  void mixedIsScoredThroughMemoryAndAKeptStoreIsNotEmbeddedAgain() throws IOException {
    Path receipts = directory.resolve("receipts.jsonl");
    Path json = directory.resolve("figures.json");
    String[] arguments = {
      "eval",
      "mixed",
      "--data=" + file(CONVERSATIONS),
      "--keep=" + directory.resolve("kept"),
      "--weigh=session=0.1",
      "--receipts=" + receipts,
      "--json=" + json
    };
    assertThat(run(arguments))
        .contains(
            "2 subjects, 3 sessions, 4 turns, 3 notes, 3 questions",
            "--weigh session=0.1",
            "records wait for vectors")
        .containsPattern("all kinds, subject given +(\\d+\\.\\d\\d +){3}0.00");
    List<String> lines = Files.readAllLines(receipts);
    assertThat(lines).hasSize(18);
    JsonNode receipt = Json.mapper().readTree(lines.getFirst());
    assertThat(receipt.at("/gold/0").asString()).isEqualTo("D1:2");
    assertThat(receipt.path("hits")).isNotEmpty();
    assertThat(receipt.at("/hits/0/turns").toString()).contains("D1:2");
    assertThat(receipt.path("hits").valueStream().map(hit -> hit.path("subject").asString()))
        .containsOnly("c1");
    JsonNode evidence = Json.mapper().readTree(json.toFile()).at("/tables/0/rows");
    assertThat(evidence).hasSize(6);
    assertThat(evidence.at("/0/values/2").asDouble()).isEqualTo(1);
    assertThat(evidence.at("/0/values/3").asDouble()).isZero();
    assertThat(run(arguments)).doesNotContain("wait for vectors");
    assertThat(Files.readAllLines(receipts)).isEqualTo(lines);
  }

  @Test
  void aNoteIsFoundRightAfterItWasRemembered() throws IOException {
    Path receipts = directory.resolve("receipts.jsonl");
    String printed =
        run("eval", "fresh", "--data=" + file(CONVERSATIONS), "--receipts=" + receipts);
    assertThat(printed)
        .contains("3 notes remembered and recalled at once")
        .containsPattern("first, or at least as later +3")
        .containsPattern("recall at once, p50 / p99 ms +\\d");
    assertThat(Files.readAllLines(receipts)).hasSize(3).allMatch(line -> line.contains("at_once"));
  }

  @Test
  void peopleAreReadInBothForms() throws IOException {
    TrustReader.TrustData data = TrustReader.read(file(PEOPLE));
    assertThat(data.subjects()).extracting(SubjectRecords::subject).containsExactly("ann", "bob");
    assertThat(data.subjects().getFirst().sessions()).hasSize(3);
    assertThat(data.subjects().getFirst().sessions().getLast().artifacts())
        .containsExactly("pasta.txt: boil for nine minutes");
    assertThat(data.questions())
        .contains(
            new TrustQuestion("ann", "77-1", EntityType.TURN, "77-1"),
            new TrustQuestion("bob", "parrot", EntityType.NOTE, "Kiki"));
    TrustReader.TrustData one =
        TrustReader.read(
            file(
                """
                {"subject": "ann", "notes": ["a"], "questions": [{"query": "q", "note_contains": "a"}]}
                """));
    assertThat(one.subjects()).hasSize(1);
    Path role = file(PEOPLE.replace("\"assistant\"", "\"butler\""));
    assertThatThrownBy(() -> TrustReader.read(role))
        .hasMessageContaining("at [0].chats[0][1].role: expected one of [")
        .hasMessageContaining("found 'butler'");
    Path kind = file(PEOPLE.replace("\"artifact\"", "\"scope\""));
    assertThatThrownBy(() -> TrustReader.read(kind))
        .hasMessageContaining("at [0].questions[2].kind: expected one of [NOTE, TURN, ARTIFACT]");
    Path empty = file("[]");
    assertThatThrownBy(() -> TrustReader.read(empty)).hasMessageContaining("expected questions");
  }

  @Test
  void anAnswerIsARecordOfTheSubjectWithTheFragment() {
    TrustQuestion question = new TrustQuestion("ann", "parrot", EntityType.TURN, "Rio");
    assertThat(question.isAnsweredBy(hit(EntityType.TURN, "ann", "It is Rio"))).isTrue();
    assertThat(question.isAnsweredBy(hit(EntityType.NOTE, "ann", "It is Rio"))).isTrue();
    assertThat(question.isAnsweredBy(hit(EntityType.ARTIFACT, "ann", "It is Rio"))).isFalse();
    assertThat(question.isAnsweredBy(hit(EntityType.TURN, "bob", "It is Rio"))).isFalse();
    assertThat(question.isAnsweredBy(hit(EntityType.TURN, "ann", "It is Kiki"))).isFalse();
  }

  private static SubjectHit hit(EntityType kind, String subject, String text) {
    return new SubjectHit(kind, "id", subject, text, 1, 3, Set.of());
  }

  @Test
  void trustIsScoredWithAndWithoutTheSubjectAndMissesAreShown() throws IOException {
    Path receipts = directory.resolve("receipts.jsonl");
    String printed = run("eval", "trust", "--data=" + file(PEOPLE), "--receipts=" + receipts);
    assertThat(printed)
        .contains(
            "2 subjects, 2 notes, 2 turns, 1 artifacts, 5 questions",
            "Not first, subject given",
            "ann asks \"Who sings?\": the note with \"Caruso\" is not found")
        .containsPattern("subject given \\(5\\) +\\d+\\.\\d\\d +80.00 +80.00 +\\d+\\.\\d\\d +0.00")
        .containsPattern("subject and kind given \\(5\\)");
    List<String> lines = Files.readAllLines(receipts);
    assertThat(lines).hasSize(15);
    JsonNode parrot = Json.mapper().readTree(lines.get(4));
    assertThat(parrot.at("/question/expects").asString()).isEqualTo("Kiki");
    assertThat(parrot.path("rank").asInt()).isEqualTo(1);
  }
}
