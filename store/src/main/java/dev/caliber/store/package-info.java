/**
 * Record store: declared tables, snapshots, transactions, queries, and the change feed. Start at
 * {@link RecordStore}; {@code store.jdbc.Stores} opens one. A {@link Table} is declared once; its
 * columns, indexes and statements are derived from the declaration. A commit writes records, their
 * index entries and one entry of the {@link ChangeFeed} together.
 */
@NullMarked
package dev.caliber.store;

import org.jspecify.annotations.NullMarked;
