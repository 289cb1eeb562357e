/** Parser of the language, and the printer of its canonical form. Start at {@link Parser}. */
@NullMarked
package dev.caliber.lang.syntax;

import org.jspecify.annotations.NullMarked;
