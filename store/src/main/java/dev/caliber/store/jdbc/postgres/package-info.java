/**
 * PostgreSQL server: sessions, roles and row-level security, notifications, and outcomes of lost
 * commits. Start at {@link PostgresEngine}.
 */
@NullMarked
package dev.caliber.store.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
