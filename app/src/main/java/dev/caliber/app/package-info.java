/**
 * The {@code caliber} command: one class a command, each a thin shell around a room. Start at
 * {@link dev.caliber.app.Main}; what commands share is {@code Workbench}.
 */
@NullMarked
package dev.caliber.app;

import org.jspecify.annotations.NullMarked;
