package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** How a memory that was opened is closed. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Lifecycle {

  /** By a call. */
  @JsonTypeName("explicit")
  record Explicit() implements Lifecycle {}

  /** When something happens. */
  @JsonTypeName("auto_close")
  record AutoClose(Trigger trigger) implements Lifecycle {}
}
