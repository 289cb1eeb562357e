package dev.caliber.bench.eval;

import dev.caliber.bench.eval.SubjectRecords.RecordedSession;
import dev.caliber.bench.eval.SubjectRecords.SubjectNote;
import dev.caliber.bench.harness.LocatedJson;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.Labels;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of LoCoMo as the memory of several subjects: each conversation is a subject, each of its
 * sessions a session, each line of {@code observation} a note about the person it names.
 */
final class LocomoSubjectReader {

  private static final String SPEAKER = "speaker";

  private LocomoSubjectReader() {}

  static List<SubjectCorpus> read(Path file) {
    List<EvalCorpus> corpora = EvalFormat.LOCOMO.read(file);
    List<LocatedJson> samples = LocatedJson.readFile(file).elements();
    List<SubjectCorpus> subjects = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      EvalCorpus corpus = corpora.get(i);
      subjects.add(
          new SubjectCorpus(
              new SubjectRecords(corpus.id(), sessions(corpus, samples.get(i))),
              corpus.questions()));
    }
    return subjects;
  }

  private static List<RecordedSession> sessions(EvalCorpus corpus, LocatedJson sample) {
    Map<String, List<EvalDocument>> turns = new LinkedHashMap<>();
    for (EvalDocument turn : corpus.documents()) {
      turns.computeIfAbsent(turn.session().orElse(""), _ -> new ArrayList<>()).add(turn);
    }
    List<RecordedSession> sessions = new ArrayList<>();
    turns.forEach(
        (session, said) ->
            sessions.add(
                new RecordedSession(
                    corpus.id() + "/" + session,
                    said.getFirst().time().orElse(ManualClock.START),
                    said.stream().map(turn -> turn(corpus.id(), turn)).toList(),
                    notes(sample, session),
                    List.of())));
    return sessions;
  }

  private static NewTurn turn(String subject, EvalDocument turn) {
    Labels labels = Labels.ofSubject(subject).withExternalId(turn.id());
    return NewTurn.user(turn.text())
        .withLabels(turn.speaker().map(name -> labels.withMetadata(SPEAKER, name)).orElse(labels));
  }

  /** Reads a session's notes: those of {@code D3} are in {@code session_3_observation}. */
  private static List<SubjectNote> notes(LocatedJson sample, String session) {
    String key = "session_%s_observation".formatted(session.substring(1));
    LocatedJson all = sample.child("observation");
    if (!all.hasKey(key)) {
      return List.of();
    }
    List<SubjectNote> notes = new ArrayList<>();
    for (String person : all.child(key).propertyNames()) {
      for (LocatedJson line : all.child(key).child(person).elements()) {
        notes.add(note(person, line));
      }
    }
    return notes;
  }

  private static SubjectNote note(String person, LocatedJson line) {
    LocatedJson evidence = line.element(1);
    List<String> ids =
        evidence.node().isArray()
            ? evidence.elements().stream().map(LocatedJson::text).toList()
            : List.of(evidence.text());
    return new SubjectNote(
        line.element(0).text(), Optional.of(person), List.copyOf(TurnIds.parseAll(ids)));
  }
}
