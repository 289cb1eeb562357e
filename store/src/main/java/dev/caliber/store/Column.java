package dev.caliber.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A readable column beside the body: computed from the record, never the source of truth. */
public record Column<T>(String name, ColumnType type, Function<T, @Nullable Object> value) {}
