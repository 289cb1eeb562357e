/**
 * The compiled configuration: what a configuration or a pack says, as plain immutable records that
 * every room reads and none writes. Start at {@link dev.caliber.kernel.config.CompiledConfig}; the
 * compiler that makes one is the room {@code lang}, and {@link dev.caliber.kernel.config.Catalogue}
 * is what it has to know of the other rooms.
 */
@NullMarked
package dev.caliber.kernel.config;

import org.jspecify.annotations.NullMarked;
