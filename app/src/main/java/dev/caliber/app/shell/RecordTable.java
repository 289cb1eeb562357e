package dev.caliber.app.shell;

import dev.caliber.kernel.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Columns in which people see a list of records. Times and numbers are formatted alike in every
 * table; an absent value is an empty cell.
 */
public final class RecordTable<T> {
  private final List<RecordColumn<T>> columns = new ArrayList<>();
  private Optional<String> emptyNote = Optional.empty();

  private record RecordColumn<T>(String heading, Function<T, ?> value) {}

  private RecordTable() {}

  /** Returns a table without columns, for records of this type. */
  public static <T> RecordTable<T> of(Class<T> type) {
    return new RecordTable<>();
  }

  public RecordTable<T> column(String heading, Function<T, ?> value) {
    columns.add(new RecordColumn<>(heading, value));
    return this;
  }

  /** Adds a column of text of any length, which is cut to a readable one. */
  public RecordTable<T> text(String heading, Function<T, String> value) {
    return column(heading, record -> TextTable.toCell(value.apply(record)));
  }

  /** Prints this message instead of a table without rows. */
  public RecordTable<T> whenEmpty(String note) {
    emptyNote = Optional.of(note);
    return this;
  }

  public void print(List<T> records, Terminal terminal) {
    if (records.isEmpty() && emptyNote.isPresent()) {
      terminal.printNote(emptyNote.get());
      return;
    }
    TextTable table =
        TextTable.of(columns.stream().map(RecordColumn::heading).toArray(String[]::new));
    for (T record : records) {
      table.addRow(
          columns.stream().map(one -> cell(one.value().apply(record))).toArray(String[]::new));
    }
    table.print(terminal);
  }

  private static String cell(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Optional<?> optional -> cell(optional.orElse(null));
      case Instant time -> Timestamps.format(time);
      case Integer number -> CommandOutput.formatNumber(number);
      case Long number -> CommandOutput.formatNumber(number);
      default -> value.toString();
    };
  }
}
