package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;

/** How long the records of a memory stay. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Retention {

  /** Until somebody deletes them. */
  @JsonTypeName("persistent")
  record Persistent() implements Retention {}

  /** As long as the session. */
  @JsonTypeName("session")
  record Session() implements Retention {}

  /** As long as the scope. */
  @JsonTypeName("scope")
  record Scope() implements Retention {}

  /** For a time. */
  @JsonTypeName("duration")
  record For(Duration duration) implements Retention {}

  /** The newest ones, up to a number. */
  @JsonTypeName("max")
  record Max(int count) implements Retention {
    public Max {
      Ranges.requireAtLeast("max", 1, count);
    }
  }

  /** Until they are compressed. */
  @JsonTypeName("compress_on")
  record CompressOn(Trigger trigger) implements Retention {}
}
