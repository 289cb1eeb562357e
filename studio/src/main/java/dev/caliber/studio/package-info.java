/**
 * The web pages as files of the class path. Start at {@link dev.caliber.studio.StudioFiles};
 * docs/studio.md describes the pages.
 */
@NullMarked
package dev.caliber.studio;

import org.jspecify.annotations.NullMarked;
