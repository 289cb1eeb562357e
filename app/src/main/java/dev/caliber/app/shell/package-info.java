/**
 * Parts that all commands share: options, configuration, the store or its server, terminal and
 * output. Start at {@link CommandContext}.
 */
@NullMarked
package dev.caliber.app.shell;

import org.jspecify.annotations.NullMarked;
