package dev.caliber.kernel.config;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON value of an adapter's options. */
public sealed interface OptionValue {
  record TextOption(String value) implements OptionValue {}

  record IntegerOption(long value) implements OptionValue {}

  record DecimalOption(double value) implements OptionValue {}

  record BooleanOption(boolean value) implements OptionValue {}

  record NullOption() implements OptionValue {}

  record ListOption(List<OptionValue> values) implements OptionValue {
    public ListOption {
      values = List.copyOf(values);
    }
  }

  /** JSON object with its members in the order of their names. */
  record ObjectOption(Map<String, OptionValue> values) implements OptionValue {
    public ObjectOption {
      values = Collections.unmodifiableMap(new TreeMap<>(values));
    }
  }
}
