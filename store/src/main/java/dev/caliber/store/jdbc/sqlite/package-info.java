/**
 * SQLite in this process: one file, its sessions, lock, checkpoints and copies. Start at {@link
 * SqliteEngine}.
 */
@NullMarked
package dev.caliber.store.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
