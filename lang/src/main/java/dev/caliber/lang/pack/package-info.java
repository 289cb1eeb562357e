/**
 * Compiles a pack, which is a directory with {@code cal.toml}, prompts and tools, to a
 * configuration. Start at {@link dev.caliber.lang.pack.PackComposer}; {@link
 * dev.caliber.lang.pack.PackSource} is its input, and the only part that reads the disk.
 */
@NullMarked
package dev.caliber.lang.pack;

import org.jspecify.annotations.NullMarked;
