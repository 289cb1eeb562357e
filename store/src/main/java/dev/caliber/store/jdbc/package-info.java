/**
 * The record store over JDBC: the queue of writes, group commit, transactions, snapshots and the
 * feed. {@link Stores} opens a store.
 */
@NullMarked
package dev.caliber.store.jdbc;

import org.jspecify.annotations.NullMarked;
