/**
 * Parses sources to trees and prints trees. Start at {@link dev.caliber.lang.syntax.Parser} and
 * {@link dev.caliber.lang.syntax.Printer}; {@link dev.caliber.lang.syntax.Ast} is the tree, which
 * callers may also build by hand. Two trees are equal when their content is, whatever their
 * positions.
 */
@NullMarked
package dev.caliber.lang.syntax;

import org.jspecify.annotations.NullMarked;
