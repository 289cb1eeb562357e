/**
 * Settings of the process, read from {@code caliber.toml}. There are no defaults in code: the file
 * sets every key, and all errors in it are reported at once. Start at {@link
 * dev.caliber.kernel.settings.Settings}.
 */
@NullMarked
package dev.caliber.kernel.settings;

import org.jspecify.annotations.NullMarked;
