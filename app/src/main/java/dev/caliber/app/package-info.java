/** The {@code caliber} command: the tree of commands, help, and failures. Start at {@link Main}. */
@NullMarked
package dev.caliber.app;

import org.jspecify.annotations.NullMarked;
