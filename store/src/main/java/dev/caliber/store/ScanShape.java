package dev.caliber.store;

import java.util.Optional;

/** Form of a scan's statement. There are few, so each is derived once and kept prepared. */
public record ScanShape(
    Optional<TableIndex> index,
    int equalColumns,
    boolean hasLower,
    boolean hasUpper,
    boolean hasCursor,
    boolean descending) {}
