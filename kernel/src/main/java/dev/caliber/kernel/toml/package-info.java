/**
 * Additions to the TOML parser: time that grows linearly with the length of a source, and the ends
 * of its parts. Start at {@link dev.caliber.kernel.toml.TomlLines}.
 */
@NullMarked
package dev.caliber.kernel.toml;

import org.jspecify.annotations.NullMarked;
