package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.IndexType;

/** {@code field: kind} in an index. */
public record IndexEntry(Name field, IndexType type, NodeOrigin origin) implements Node {}
