package dev.caliber.memory.context;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What of each kind of record is shown. */
final class Bodies {
  private static final String BYTES = "application/octet-stream";

  private Bodies() {}

  static Body instructions(String text) {
    return Body.text(text, none(), Optional.empty());
  }

  static Body of(Turn turn) {
    return new Body(
        Optional.of(turn.role()),
        turn.parts(),
        turn.speaker().map(Bodies::named).orElseGet(Bodies::none),
        Optional.of(turn.createdAt()));
  }

  /** A turn of another session: with the name of that session, or else its goal. */
  static Body of(Turn turn, Trajectory session) {
    Body said = of(turn);
    SortedMap<String, String> attributes = new TreeMap<>(said.attributes());
    attributes.put(Body.SESSION, session.labels().externalId().orElse(session.goal()));
    return new Body(said.role(), said.parts(), attributes, said.day());
  }

  static Body of(Note note) {
    return Body.text(
        note.content(),
        new TreeMap<>(Map.of(Body.ABOUT, note.entity(), "type", word(note.type()))),
        Optional.of(note.valid().from().orElse(note.createdAt())));
  }

  static Body of(Artifact artifact) {
    Part part =
        artifact
            .content()
            .text()
            .filter(text -> !text.isBlank())
            .map(Part::text)
            .orElseGet(() -> new Part.Data(BYTES, artifact.content()));
    return new Body(
        Optional.empty(),
        List.of(part),
        new TreeMap<>(Map.of("type", word(artifact.type()))),
        Optional.of(artifact.createdAt()));
  }

  /** Empty where there is no summary, or one that says nothing. */
  static Optional<Body> of(Scope scope) {
    return scope
        .summary()
        .filter(told -> !told.text().isBlank())
        .map(told -> Body.text(told.told(), none(), scope.closedAt().or(() -> opened(scope))));
  }

  private static Optional<Instant> opened(Scope scope) {
    return Optional.of(scope.openedAt());
  }

  static Body of(Trajectory trajectory) {
    String text =
        trajectory
            .summary()
            .map(summary -> trajectory.goal() + "\n" + summary.told())
            .orElse(trajectory.goal());
    return Body.text(text, none(), Optional.of(trajectory.createdAt()));
  }

  private static SortedMap<String, String> named(String speaker) {
    return new TreeMap<>(Map.of(Body.NAME, speaker));
  }

  private static SortedMap<String, String> none() {
    return new TreeMap<>();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
