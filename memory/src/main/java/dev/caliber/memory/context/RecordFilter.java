package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.TextPattern;
import dev.caliber.kernel.Timestamps;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.memory.record.RecordKinds;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A rule's filter, evaluated on records. A record without the field never passes a comparison, as
 * in a search.
 *
 * @param now what {@code now()} means
 * @param trajectory what {@code current_trajectory} means
 * @param patterns its regular expressions, compiled at their first use
 */
record RecordFilter(
    Optional<Filter> filter, Instant now, Id trajectory, Map<String, TextPattern> patterns) {

  RecordFilter(Optional<Filter> filter, Instant now, Id trajectory) {
    this(filter, now, trajectory, new HashMap<>());
  }

  boolean passes(Record record) {
    return filter.isEmpty() || passes(filter.get(), record);
  }

  private boolean passes(Filter part, Record record) {
    return switch (part) {
      case Filter.And(var parts) -> parts.stream().allMatch(each -> passes(each, record));
      case Filter.Or(var parts) -> parts.stream().anyMatch(each -> passes(each, record));
      case Filter.Comparison(var field, var comparator, var value) ->
          RecordKinds.read(record, field)
              .filter(found -> compares(found, comparator, value))
              .isPresent();
    };
  }

  private boolean compares(Object found, Comparator comparator, FilterValue value) {
    return switch (value) {
      case FilterValue.Text(var text) -> text(found, comparator, text);
      case FilterValue.Choice(var text) -> text(found, comparator, text);
      case FilterValue.Identity(var id) -> is(read(found, Id.class, Id::parse), comparator, id);
      case FilterValue.CurrentTrajectory _ ->
          is(read(found, Id.class, Id::parse), comparator, trajectory);
      case FilterValue.Numeric(var number) ->
          found instanceof Number other
              && ordered(comparator, new BigDecimal(other.toString()).compareTo(number));
      case FilterValue.Flag(var flag) ->
          found instanceof Boolean other && ordered(comparator, Boolean.compare(other, flag));
      case FilterValue.Moment(var moment) ->
          is(read(found, Instant.class, Timestamps::parse), comparator, moment);
      case FilterValue.Now _ -> is(read(found, Instant.class, Timestamps::parse), comparator, now);
    };
  }

  /** Metadata has neither times nor ids: there they are texts, which the field's type lets read. */
  private static <T> Optional<T> read(Object found, Class<T> type, Function<String, T> parser) {
    if (type.isInstance(found)) {
      return Optional.of(type.cast(found));
    }
    try {
      return Optional.of(parser.apply(found.toString()));
    } catch (KernelException _) {
      return Optional.empty();
    }
  }

  private static <T extends Comparable<? super T>> boolean is(
      Optional<T> found, Comparator comparator, T wanted) {
    return found.filter(other -> ordered(comparator, other.compareTo(wanted))).isPresent();
  }

  private boolean text(Object found, Comparator comparator, String wanted) {
    String text = found.toString();
    return switch (comparator) {
      case MATCHES -> patterns.computeIfAbsent(wanted, TextPattern::of).matches(text);
      case CONTAINS -> text.contains(wanted);
      case EQUAL, NOT_EQUAL, GREATER, LESS, AT_LEAST, AT_MOST ->
          ordered(comparator, text.compareTo(wanted));
    };
  }

  private static boolean ordered(Comparator comparator, int compared) {
    return switch (comparator) {
      case EQUAL -> compared == 0;
      case NOT_EQUAL -> compared != 0;
      case GREATER -> compared > 0;
      case LESS -> compared < 0;
      case AT_LEAST -> compared >= 0;
      case AT_MOST -> compared <= 0;
      case MATCHES, CONTAINS -> false;
    };
  }
}
