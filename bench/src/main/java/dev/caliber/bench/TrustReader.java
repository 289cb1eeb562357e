package dev.caliber.bench;

import dev.caliber.bench.SubjectRecords.Session;
import dev.caliber.bench.SubjectRecords.SubjectNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What people keep in memory, and what they ask: one person, or an array of people. A person has a
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

  /** All that a file holds. */
  record TrustData(List<SubjectRecords> subjects, List<TrustQuestion> questions) {
    TrustData {
      subjects = List.copyOf(subjects);
      questions = List.copyOf(questions);
    }
  }

  static TrustData read(Path file) {
    JsonPlace top = JsonPlace.file(file);
    List<SubjectRecords> subjects = new ArrayList<>();
    List<TrustQuestion> questions = new ArrayList<>();
    for (JsonPlace person : top.node().isArray() ? top.each() : List.of(top)) {
      subjects.add(records(person));
      person.at("questions").each().forEach(each -> questions.add(question(person, each)));
    }
    if (questions.isEmpty()) {
      throw top.problem("questions", "none");
    }
    return new TrustData(subjects, questions);
  }

  /** Notes first, then a chat each day, then what was made. */
  private static SubjectRecords records(JsonPlace person) {
    String subject = person.text("subject");
    List<Session> sessions = new ArrayList<>();
    Instant day = ManualClock.START;
    List<SubjectNote> notes = texts(person, "notes").stream().map(SubjectNote::of).toList();
    sessions.add(new Session(subject + "/notes", day, List.of(), notes, List.of()));
    for (JsonPlace chat : elements(person, "chats")) {
      day = day.plus(DAY);
      List<NewTurn> turns = chat.each().stream().map(turn -> turn(subject, turn)).toList();
      sessions.add(
          new Session(subject + "/chat-" + sessions.size(), day, turns, List.of(), List.of()));
    }
    sessions.add(
        new Session(
            subject + "/artifacts",
            day.plus(DAY),
            List.of(),
            List.of(),
            texts(person, "artifacts")));
    return new SubjectRecords(subject, sessions);
  }

  private static List<JsonPlace> elements(JsonPlace person, String key) {
    return person.has(key) ? person.at(key).each() : List.of();
  }

  private static List<String> texts(JsonPlace person, String key) {
    return elements(person, key).stream().map(JsonPlace::text).toList();
  }

  private static NewTurn turn(String subject, JsonPlace turn) {
    return NewTurn.of(turn.at("role").constant(Role.class), Part.text(turn.text("text")))
        .labelled(Labels.ofSubject(subject));
  }

  private static TrustQuestion question(JsonPlace person, JsonPlace question) {
    boolean ofNote = question.has(NOTE_CONTAINS);
    return new TrustQuestion(
        person.text("subject"),
        question.text("query"),
        ofNote ? EntityType.NOTE : kind(question.at("kind")),
        question.text(ofNote ? NOTE_CONTAINS : EXPECTS));
  }

  private static EntityType kind(JsonPlace place) {
    EntityType kind = place.constant(EntityType.class);
    if (!KINDS.contains(kind)) {
      throw place.problem("one of " + KINDS, kind.toString());
    }
    return kind;
  }
}
