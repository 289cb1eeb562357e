/**
 * One record store on two engines, with its change feed and its jobs. Start at {@link RecordStore};
 * {@link Maintenance} is for operators.
 *
 * <p>A {@link Table} is declared once; from the declaration come the columns, the indexes and every
 * statement. A commit writes records, their index entries and one entry of the {@link ChangeFeed}
 * together. What is laid down in the database is described by {@code StoreFormatV1}.
 */
@NullMarked
package dev.caliber.store;

import org.jspecify.annotations.NullMarked;
