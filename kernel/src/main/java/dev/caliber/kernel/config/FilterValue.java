package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.caliber.kernel.Id;
import java.math.BigDecimal;
import java.time.Instant;

/** Value that a field is compared with; its type is that of the field. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface FilterValue {

  /** Value for a field of text or JSON. */
  @JsonTypeName("text")
  record TextFilterValue(String value) implements FilterValue {}

  /**
   * Value for a field of int or float. Trailing zeros are dropped, so that equal numbers are equal.
   */
  @JsonTypeName("number")
  record NumericFilterValue(BigDecimal value) implements FilterValue {
    public NumericFilterValue {
      value = value.stripTrailingZeros();
      value = value.scale() < 0 ? value.setScale(0) : value;
    }
  }

  /** Value for a field of bool. */
  @JsonTypeName("flag")
  record BooleanFilterValue(boolean value) implements FilterValue {}

  /** Value for a timestamp: a literal time. */
  @JsonTypeName("moment")
  record TimestampFilterValue(Instant value) implements FilterValue {}

  /** Value for a timestamp: the time of the request. */
  @JsonTypeName("now")
  record RequestTimeFilterValue() implements FilterValue {}

  /** Value for a uuid: a literal id in either notation. */
  @JsonTypeName("id")
  record IdFilterValue(Id value) implements FilterValue {}

  /** Value for a uuid: the trajectory of the request. */
  @JsonTypeName("current_trajectory")
  record CurrentTrajectoryFilterValue() implements FilterValue {}

  /** Value for an enumeration: one of its values. */
  @JsonTypeName("choice")
  record EnumerationFilterValue(String value) implements FilterValue {}
}
