package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import java.util.Locale;
import java.util.Optional;

/** Record that an event is about, with its trajectory and scope where the event names them. */
public record TracedRecord(EntityRef record, Optional<Id> trajectory, Optional<Id> scope) {

  /** Names of event types in snake case. */
  public static final ClassValue<String> NAMES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return type.getSimpleName()
              .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
              .toLowerCase(Locale.ROOT);
        }
      };

  public static TracedRecord of(EntityRef record) {
    return new TracedRecord(record, Optional.empty(), Optional.empty());
  }

  public static TracedRecord ofTrajectory(Id id) {
    return new TracedRecord(
        EntityRef.of(EntityType.TRAJECTORY, id), Optional.of(id), Optional.empty());
  }

  public static TracedRecord ofScope(Id trajectory, Id id) {
    return new TracedRecord(
        EntityRef.of(EntityType.SCOPE, id), Optional.of(trajectory), Optional.of(id));
  }

  public static TracedRecord ofArtifact(Id trajectory, Id id) {
    return new TracedRecord(
        EntityRef.of(EntityType.ARTIFACT, id), Optional.of(trajectory), Optional.empty());
  }
}
