/**
 * What a configuration has to obey beyond its grammar. Start at {@link
 * dev.caliber.lang.check.Checks}; each rule is a class that knows no other rule.
 */
@NullMarked
package dev.caliber.lang.check;

import org.jspecify.annotations.NullMarked;
