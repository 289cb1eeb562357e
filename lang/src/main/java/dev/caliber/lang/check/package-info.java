/**
 * Rules of a configuration beyond its grammar. Start at {@link
 * dev.caliber.lang.check.ConfigChecks}; each rule is a class that knows no other rule.
 */
@NullMarked
package dev.caliber.lang.check;

import org.jspecify.annotations.NullMarked;
