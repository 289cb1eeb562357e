/**
 * SQL that both engines share: sessions, dialect, statements, rows of declared tables, and the
 * layout of a store ({@link StoreFormatV1}). An engine implements {@link Engine}.
 */
@NullMarked
package dev.caliber.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
