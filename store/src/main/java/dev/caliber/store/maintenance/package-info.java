/**
 * Operator tasks on a whole store: back up, restore, export, import, compact and examine, with
 * their file formats and checks. Start at {@link Maintenance}.
 */
@NullMarked
package dev.caliber.store.maintenance;

import org.jspecify.annotations.NullMarked;
