/**
 * What tests stand on: the contracts that every engine fulfils, a clock that is moved by hand, a
 * real PostgreSQL server of one's own, and fakes that misbehave.
 */
@NullMarked
package dev.caliber.testkit;

import org.jspecify.annotations.NullMarked;
