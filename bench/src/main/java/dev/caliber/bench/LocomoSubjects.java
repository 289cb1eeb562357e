package dev.caliber.bench;

import dev.caliber.bench.SubjectRecords.Session;
import dev.caliber.bench.SubjectRecords.SubjectNote;
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
 * LoCoMo as the memory of several subjects: each conversation is a subject, each of its sessions a
 * session, each line of {@code observation} a note about the person it names.
 */
final class LocomoSubjects {

  private static final String SPEAKER = "speaker";

  private LocomoSubjects() {}

  static List<SubjectCorpus> read(Path file) {
    List<EvalCorpus> corpora = EvalFormat.LOCOMO.read(file);
    List<JsonPlace> samples = JsonPlace.file(file).each();
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

  private static List<Session> sessions(EvalCorpus corpus, JsonPlace sample) {
    Map<String, List<EvalDocument>> turns = new LinkedHashMap<>();
    for (EvalDocument turn : corpus.documents()) {
      turns.computeIfAbsent(turn.session().orElse(""), _ -> new ArrayList<>()).add(turn);
    }
    List<Session> sessions = new ArrayList<>();
    turns.forEach(
        (session, said) ->
            sessions.add(
                new Session(
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
        .labelled(turn.speaker().map(name -> labels.with(SPEAKER, name)).orElse(labels));
  }

  /** Session {@code D3} has its notes in {@code session_3_observation}, by the person's name. */
  private static List<SubjectNote> notes(JsonPlace sample, String session) {
    String key = "session_%s_observation".formatted(session.substring(1));
    JsonPlace all = sample.at("observation");
    if (!all.has(key)) {
      return List.of();
    }
    List<SubjectNote> notes = new ArrayList<>();
    for (String person : all.at(key).names()) {
      for (JsonPlace line : all.at(key).at(person).each()) {
        notes.add(note(person, line));
      }
    }
    return notes;
  }

  private static SubjectNote note(String person, JsonPlace line) {
    JsonPlace evidence = line.element(1);
    List<String> ids =
        evidence.node().isArray()
            ? evidence.each().stream().map(JsonPlace::text).toList()
            : List.of(evidence.text());
    return new SubjectNote(
        line.element(0).text(), Optional.of(person), List.copyOf(TurnIds.of(ids)));
  }
}
