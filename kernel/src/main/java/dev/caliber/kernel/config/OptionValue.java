package dev.caliber.kernel.config;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A JSON value of an adapter's options. */
public sealed interface OptionValue {
  record Text(String value) implements OptionValue {}

  record Whole(long value) implements OptionValue {}

  record Real(double value) implements OptionValue {}

  record Flag(boolean value) implements OptionValue {}

  record Nothing() implements OptionValue {}

  record Items(List<OptionValue> values) implements OptionValue {
    public Items {
      values = List.copyOf(values);
    }
  }

  /** Members in the order of their names. */
  record Members(Map<String, OptionValue> values) implements OptionValue {
    public Members {
      values = Collections.unmodifiableMap(new TreeMap<>(values));
    }
  }
}
