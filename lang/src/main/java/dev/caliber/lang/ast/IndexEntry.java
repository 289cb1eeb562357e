package dev.caliber.lang.ast;

import dev.caliber.kernel.config.IndexType;

/** {@code field: kind} in an index. */
public record IndexEntry(NameNode field, IndexType type, NodeOrigin origin) implements Node {}
