package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;

/** Retention of a memory's records. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Retention {

  /** Records are kept until a caller deletes them. */
  @JsonTypeName("persistent")
  record PersistentRetention() implements Retention {}

  /** Records are kept as long as the session. */
  @JsonTypeName("session")
  record SessionRetention() implements Retention {}

  /** Records are kept as long as the scope. */
  @JsonTypeName("scope")
  record ScopeRetention() implements Retention {}

  /** Records are kept for a time. */
  @JsonTypeName("duration")
  record DurationRetention(Duration duration) implements Retention {}

  /** The newest records are kept, up to a number. */
  @JsonTypeName("max")
  record CountRetention(int count) implements Retention {
    public CountRetention {
      Ranges.requireAtLeast("max", 1, count);
    }
  }

  /** Records are kept until they are compressed. */
  @JsonTypeName("compress_on")
  record CompressionRetention(Trigger trigger) implements Retention {}
}
