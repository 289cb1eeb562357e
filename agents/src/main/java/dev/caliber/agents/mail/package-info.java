/** Messages between agents and their delivery. Start at {@link Message}. */
@NullMarked
package dev.caliber.agents.mail;

import org.jspecify.annotations.NullMarked;
