/**
 * What agents did and learned, and how it is tended. Start at {@link dev.caliber.memory.Memory};
 * what is read of one snapshot is in {@link dev.caliber.memory.MemoryView}. The records are in
 * {@code record}, what can be asked is in {@code command}; here it is decided: each class named
 * {@code …Work} decides about one thing, and {@code Desk} is the commit that they share. Policies,
 * retention, forgetting, recall and clean-up are here as well, because they decide through the same
 * works.
 */
@NullMarked
package dev.caliber.memory;

import org.jspecify.annotations.NullMarked;
