/** Syntax tree of a configuration, with the position of each node. Start at {@link Ast}. */
@NullMarked
package dev.caliber.lang.ast;

import org.jspecify.annotations.NullMarked;
