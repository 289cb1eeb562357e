/**
 * Files of a pack: the sections and keys of {@code cal.toml}, and the documents that rules read.
 * Start at {@link Manifest}.
 */
@NullMarked
package dev.caliber.lang.pack.manifest;

import org.jspecify.annotations.NullMarked;
