/**
 * The web pages as files of the class path. Start at {@link dev.caliber.studio.StudioFiles}; what
 * they are made of is in docs/studio.md.
 */
@NullMarked
package dev.caliber.studio;

import org.jspecify.annotations.NullMarked;
