/** Commands on packs and on the configuration language, and the output of their diagnostics. */
@NullMarked
package dev.caliber.app.pack;

import org.jspecify.annotations.NullMarked;
