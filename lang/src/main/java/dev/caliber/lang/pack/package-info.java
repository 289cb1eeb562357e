/**
 * From a pack, which is a directory with {@code cal.toml}, prompts and tools, to a compiled
 * configuration. Start at {@link dev.caliber.lang.pack.PackComposer}; {@link
 * dev.caliber.lang.pack.PackSource} is what it takes, and the only part that reads the disk.
 */
@NullMarked
package dev.caliber.lang.pack;

import org.jspecify.annotations.NullMarked;
