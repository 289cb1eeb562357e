/** Rules about packs, one class each. Start at {@link PackChecks}. */
@NullMarked
package dev.caliber.lang.pack.check;

import org.jspecify.annotations.NullMarked;
