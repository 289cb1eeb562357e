/**
 * Configuration as plain immutable records that every room reads and none writes. {@link
 * dev.caliber.kernel.config.CompiledConfig} is what a configuration or a pack says, made by the
 * room {@code lang}, for which {@link dev.caliber.kernel.config.Catalogue} is what it has to know
 * of the other rooms; {@link dev.caliber.kernel.config.RuntimeConfig} is what {@code caliber.toml}
 * says about the runtime.
 */
@NullMarked
package dev.caliber.kernel.config;

import org.jspecify.annotations.NullMarked;
