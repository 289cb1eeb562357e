/**
 * Work that agents delegate and tasks that they hand over, with the records that they share. Start
 * at {@link Delegation}.
 */
@NullMarked
package dev.caliber.agents.delegation;

import org.jspecify.annotations.NullMarked;
