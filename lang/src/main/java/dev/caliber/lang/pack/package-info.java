/**
 * Composition of packs into records, their locks and differences. Start at {@link PackComposer}.
 */
@NullMarked
package dev.caliber.lang.pack;

import org.jspecify.annotations.NullMarked;
