/** The {@code bench} command and its subcommands. Start at {@link Main}. */
@NullMarked
package dev.caliber.bench;

import org.jspecify.annotations.NullMarked;
