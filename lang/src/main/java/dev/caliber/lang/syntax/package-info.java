/**
 * From source to tree and back. Start at {@link dev.caliber.lang.syntax.Parser} and {@link
 * dev.caliber.lang.syntax.Printer}; {@link dev.caliber.lang.syntax.Ast} is the tree, which others
 * may also build by hand. Two trees are equal when they say the same, wherever it was written.
 */
@NullMarked
package dev.caliber.lang.syntax;

import org.jspecify.annotations.NullMarked;
