/**
 * Record store on two engines, with its change feed and its jobs. Start at {@link RecordStore};
 * {@link Maintenance} is for operators.
 *
 * <p>A {@link Table} is declared once; its columns, indexes and statements are derived from the
 * declaration. A commit writes records, their index entries and one entry of the {@link ChangeFeed}
 * together. {@code StoreFormatV1} describes the database tables.
 */
@NullMarked
package dev.caliber.store;

import org.jspecify.annotations.NullMarked;
