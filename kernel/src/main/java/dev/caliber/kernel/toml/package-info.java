/**
 * What the parser of TOML lacks: time that grows with the length of a source, and where things end.
 * Start at {@link dev.caliber.kernel.toml.TomlLines}.
 */
@NullMarked
package dev.caliber.kernel.toml;

import org.jspecify.annotations.NullMarked;
