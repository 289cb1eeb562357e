/**
 * The {@code caliber} command: one class per command, each a thin layer over a module. Start at
 * {@link dev.caliber.app.Main}; commands share {@link dev.caliber.app.CommandContext}.
 */
@NullMarked
package dev.caliber.app;

import org.jspecify.annotations.NullMarked;
