/**
 * Configuration as plain immutable records that every module reads and none writes. {@link
 * dev.caliber.kernel.config.CompiledConfig} is a compiled configuration or pack, made by the module
 * {@code lang}, which learns from {@link dev.caliber.kernel.config.Catalogue} what it needs about
 * the other modules; {@link dev.caliber.kernel.config.RuntimeConfig} holds the runtime's settings
 * from {@code caliber.toml}.
 */
@NullMarked
package dev.caliber.kernel.config;

import org.jspecify.annotations.NullMarked;
