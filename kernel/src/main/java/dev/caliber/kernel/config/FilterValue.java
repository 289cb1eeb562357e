package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.caliber.kernel.Id;
import java.math.BigDecimal;
import java.time.Instant;

/** What a field is compared with; its type is that of the field. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface FilterValue {

  /** For a field of text or JSON. */
  @JsonTypeName("text")
  record Text(String value) implements FilterValue {}

  /** For a field of int or float. Trailing zeros are dropped, so that equal numbers are equal. */
  @JsonTypeName("number")
  record Numeric(BigDecimal value) implements FilterValue {
    public Numeric {
      value = value.stripTrailingZeros();
      value = value.scale() < 0 ? value.setScale(0) : value;
    }
  }

  /** For a field of bool. */
  @JsonTypeName("flag")
  record Flag(boolean value) implements FilterValue {}

  /** For a timestamp: a moment that is written down. */
  @JsonTypeName("moment")
  record Moment(Instant value) implements FilterValue {}

  /** For a timestamp: the moment of the request. */
  @JsonTypeName("now")
  record Now() implements FilterValue {}

  /** For a uuid: an id that is written down, whichever way. */
  @JsonTypeName("id")
  record Identity(Id value) implements FilterValue {}

  /** For a uuid: the trajectory of the request. */
  @JsonTypeName("current_trajectory")
  record CurrentTrajectory() implements FilterValue {}

  /** For an enumeration: one of its values. */
  @JsonTypeName("choice")
  record Choice(String value) implements FilterValue {}
}
