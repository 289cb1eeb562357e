/**
 * Settings of the process, in layers: the starter version of the jar, {@code caliber.toml} and
 * environment variables. There are no defaults in code; the components of records declare the keys,
 * and all errors are reported at once. Start at {@link dev.caliber.kernel.settings.Settings}.
 */
@NullMarked
package dev.caliber.kernel.settings;

import org.jspecify.annotations.NullMarked;
