package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.Locale;
import java.util.Optional;

/** Record that an event is about, with its trajectory and scope where the event names them. */
public record TraceSubject(EntityRef record, Optional<Id> trajectory, Optional<Id> scope) {

  /** Names of event types in snake case. */
  static final ClassValue<String> NAMES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return type.getSimpleName()
              .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
              .toLowerCase(Locale.ROOT);
        }
      };

  static TraceSubject of(EntityRef record) {
    return new TraceSubject(record, Optional.empty(), Optional.empty());
  }

  static TraceSubject ofTrajectory(Id id) {
    return new TraceSubject(
        EntityRef.of(EntityType.TRAJECTORY, id), Optional.of(id), Optional.empty());
  }

  static TraceSubject ofScope(Id trajectory, Id id) {
    return new TraceSubject(
        EntityRef.of(EntityType.SCOPE, id), Optional.of(trajectory), Optional.of(id));
  }

  static TraceSubject ofArtifact(Id trajectory, Id id) {
    return new TraceSubject(
        EntityRef.of(EntityType.ARTIFACT, id), Optional.of(trajectory), Optional.empty());
  }
}
