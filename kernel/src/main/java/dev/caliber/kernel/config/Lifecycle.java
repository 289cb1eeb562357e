package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** End of an open memory. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Lifecycle {

  /** The memory is closed by a call. */
  @JsonTypeName("explicit")
  record ExplicitClose() implements Lifecycle {}

  /** The memory is closed by a trigger. */
  @JsonTypeName("auto_close")
  record AutomaticClose(Trigger trigger) implements Lifecycle {}
}
