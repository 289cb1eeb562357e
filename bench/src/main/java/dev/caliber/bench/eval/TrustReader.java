package dev.caliber.bench.eval;

import dev.caliber.bench.eval.SubjectRecords.RecordedSession;
import dev.caliber.bench.eval.SubjectRecords.SubjectNote;
import dev.caliber.bench.harness.LocatedJson;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Reader of people's records and questions: one person, or an array of people. A person has a
 * {@code subject}, {@code notes} (texts), {@code chats} (arrays of {@code role} and {@code text}),
 * {@code artifacts} (texts) and {@code questions}. A question has a {@code query} and either {@code
 * expects} with a {@code kind} ({@code note}, {@code turn}, {@code artifact}), or {@code
 * note_contains}.
 */
final class TrustReader {

  private static final List<EntityType> KINDS =
      List.of(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT);
  private static final Duration DAY = Duration.ofDays(1);
  private static final String EXPECTS = "expects";
  private static final String NOTE_CONTAINS = "note_contains";

  private TrustReader() {}

  /** The content of a file. */
  record TrustData(List<SubjectRecords> subjects, List<TrustQuestion> questions) {
    TrustData {
      subjects = List.copyOf(subjects);
      questions = List.copyOf(questions);
    }
  }

  static TrustData read(Path file) {
    LocatedJson top = LocatedJson.readFile(file);
    List<SubjectRecords> subjects = new ArrayList<>();
    List<TrustQuestion> questions = new ArrayList<>();
    for (LocatedJson person : top.node().isArray() ? top.elements() : List.of(top)) {
      subjects.add(records(person));
      person.child("questions").elements().forEach(each -> questions.add(question(person, each)));
    }
    if (questions.isEmpty()) {
      throw top.problem("questions", "none");
    }
    return new TrustData(subjects, questions);
  }

  /** Returns the records: notes first, then one chat per day, then artifacts. */
  private static SubjectRecords records(LocatedJson person) {
    String subject = person.text("subject");
    List<RecordedSession> sessions = new ArrayList<>();
    Instant day = ManualClock.START;
    List<SubjectNote> notes = texts(person, "notes").stream().map(SubjectNote::of).toList();
    sessions.add(new RecordedSession(subject + "/notes", day, List.of(), notes, List.of()));
    for (LocatedJson chat : elements(person, "chats")) {
      day = day.plus(DAY);
      List<NewTurn> turns = chat.elements().stream().map(turn -> turn(subject, turn)).toList();
      sessions.add(
          new RecordedSession(
              subject + "/chat-" + sessions.size(), day, turns, List.of(), List.of()));
    }
    sessions.add(
        new RecordedSession(
            subject + "/artifacts",
            day.plus(DAY),
            List.of(),
            List.of(),
            texts(person, "artifacts")));
    return new SubjectRecords(subject, sessions);
  }

  private static List<LocatedJson> elements(LocatedJson person, String key) {
    return person.hasKey(key) ? person.child(key).elements() : List.of();
  }

  private static List<String> texts(LocatedJson person, String key) {
    return elements(person, key).stream().map(LocatedJson::text).toList();
  }

  private static NewTurn turn(String subject, LocatedJson turn) {
    return NewTurn.of(
            turn.child("role").enumConstant(TurnRole.class), TurnPart.text(turn.text("text")))
        .withLabels(Labels.ofSubject(subject));
  }

  private static TrustQuestion question(LocatedJson person, LocatedJson question) {
    boolean ofNote = question.hasKey(NOTE_CONTAINS);
    return new TrustQuestion(
        person.text("subject"),
        question.text("query"),
        ofNote ? EntityType.NOTE : kind(question.child("kind")),
        question.text(ofNote ? NOTE_CONTAINS : EXPECTS));
  }

  private static EntityType kind(LocatedJson place) {
    EntityType kind = place.enumConstant(EntityType.class);
    if (!KINDS.contains(kind)) {
      throw place.problem("one of " + KINDS, kind.toString());
    }
    return kind;
  }
}
