package dev.caliber.memory.context.candidate;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Factory for the shown content of each kind of record. */
public final class RecordBodyFactory {
  private static final String BYTES = "application/octet-stream";

  private RecordBodyFactory() {}

  public static RecordBody instructionsBody(String text) {
    return RecordBody.ofText(text, noAttributes(), Optional.empty());
  }

  public static RecordBody bodyOf(Turn turn) {
    return new RecordBody(
        Optional.of(turn.role()),
        turn.parts(),
        turn.speaker()
            .map(RecordBodyFactory::speakerAttributes)
            .orElseGet(RecordBodyFactory::noAttributes),
        Optional.of(turn.createdAt()));
  }

  /** Returns a turn of another session, with the name of that session or its goal. */
  public static RecordBody bodyOfOtherSession(Turn turn, Trajectory session) {
    RecordBody said = bodyOf(turn);
    SortedMap<String, String> attributes = new TreeMap<>(said.attributes());
    attributes.put(RecordBody.SESSION, session.labels().externalId().orElse(session.goal()));
    return new RecordBody(said.role(), said.parts(), attributes, said.day());
  }

  public static RecordBody bodyOf(Note note) {
    return RecordBody.ofText(
        note.content(),
        new TreeMap<>(Map.of(RecordBody.ABOUT, note.entity(), "type", lowerCaseName(note.type()))),
        Optional.of(note.valid().from().orElse(note.createdAt())));
  }

  public static RecordBody bodyOf(Artifact artifact) {
    TurnPart turnPart =
        artifact
            .content()
            .text()
            .filter(text -> !text.isBlank())
            .map(TurnPart::text)
            .orElseGet(() -> new TurnPart.DataPart(BYTES, artifact.content()));
    return new RecordBody(
        Optional.empty(),
        List.of(turnPart),
        new TreeMap<>(Map.of("type", lowerCaseName(artifact.type()))),
        Optional.of(artifact.createdAt()));
  }

  /** Returns empty if the scope has no summary or a blank one. */
  public static Optional<RecordBody> bodyOf(Scope scope) {
    return scope
        .summary()
        .filter(summary -> !summary.text().isBlank())
        .map(
            summary ->
                RecordBody.ofText(
                    summary.textWithExtent(),
                    noAttributes(),
                    scope.closedAt().or(() -> openedAt(scope))));
  }

  private static Optional<Instant> openedAt(Scope scope) {
    return Optional.of(scope.openedAt());
  }

  public static RecordBody bodyOf(Trajectory trajectory) {
    String text =
        trajectory
            .summary()
            .map(summary -> trajectory.goal() + "\n" + summary.textWithExtent())
            .orElse(trajectory.goal());
    return RecordBody.ofText(text, noAttributes(), Optional.of(trajectory.createdAt()));
  }

  private static SortedMap<String, String> speakerAttributes(String speaker) {
    return new TreeMap<>(Map.of(RecordBody.NAME, speaker));
  }

  private static SortedMap<String, String> noAttributes() {
    return new TreeMap<>();
  }

  private static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
