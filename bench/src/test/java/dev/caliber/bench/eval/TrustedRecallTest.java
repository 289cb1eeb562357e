package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.eval.SubjectRecords.RecordedSession;
import dev.caliber.bench.eval.SubjectRecords.SubjectNote;
import dev.caliber.bench.eval.TrustScores.TrustQueryConstraint;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gate on the quality of recall: notes, chats and artifacts of seventeen people in one space, and
 * their questions. {@code eval trust} runs the same file.
 */
class TrustedRecallTest {

  /* Most misses are paraphrases that the small model does not see. */
  private static final double FIRST = 0.90;

  private static final double FIRST_FIVE = 0.98;
  private static final int SHOWN = 3;

  @TempDir Path directory;

  private static TrustReader.TrustData people() throws URISyntaxException {
    return TrustReader.read(
        Path.of(
            Objects.requireNonNull(TrustedRecallTest.class.getResource("people.json")).toURI()));
  }

  @Test
  void theRightRecordComesFirstWhereNotesChatsAndArtifactsShareTheStore()
      throws URISyntaxException {
    TrustReader.TrustData people = people();
    try (Models models = Models.open(ModelsConfig.starter(), Map.of(), Stopwatch.clock());
        SubjectStore store =
            SubjectStore.open(
                BenchLocations.sqliteIn(directory.resolve("data")),
                directory.resolve("indexes"),
                models,
                Map.of(),
                new ProgressPrinter(new PrintWriter(new StringWriter())))) {
      store.load(people.subjects());
      TrustScores scores = TrustScores.ask(store, people.questions(), TrustQueryConstraint.SUBJECT);
      assertThat(scores.recall(1)).as("R@1%n%s", misses(scores, 1)).isGreaterThanOrEqualTo(FIRST);
      assertThat(scores.recall(5))
          .as("R@5%n%s", misses(scores, 5))
          .isGreaterThanOrEqualTo(FIRST_FIVE);
    }
  }

  private static String misses(TrustScores scores, int k) {
    return scores.missedAnswers(k).stream()
        .map(miss -> miss.summary(SHOWN))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void everyQuestionOfTheSetHasOneAnswer() throws URISyntaxException {
    TrustReader.TrustData people = people();
    Map<String, SubjectRecords> subjects =
        people.subjects().stream()
            .collect(Collectors.toMap(SubjectRecords::subject, Function.identity()));
    for (TrustQuestion question : people.questions()) {
      SubjectRecords records = Objects.requireNonNull(subjects.get(question.subject()));
      assertThat(texts(records, question.kind()).filter(text -> text.contains(question.expects())))
          .as(question.toString())
          .hasSize(1);
      assertThat(
              Stream.of(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT)
                  .filter(kind -> kind != question.kind())
                  .flatMap(kind -> texts(records, kind)))
          .as(question.toString())
          .noneMatch(text -> text.contains(question.expects()));
    }
  }

  private static Stream<String> texts(SubjectRecords records, EntityType kind) {
    return records.sessions().stream()
        .flatMap(recordedSession -> texts(recordedSession, kind).stream());
  }

  private static List<String> texts(RecordedSession recordedSession, EntityType kind) {
    return switch (kind) {
      case NOTE -> recordedSession.notes().stream().map(SubjectNote::text).toList();
      case TURN -> recordedSession.turns().stream().map(TrustedRecallTest::words).toList();
      default -> recordedSession.artifacts();
    };
  }

  private static String words(NewTurn turn) {
    return turn.parts().stream().map(TurnPart::searchableText).collect(Collectors.joining("\n"));
  }
}
