/**
 * Foundation of the tests: the contracts that every engine fulfils, a clock that is moved by hand,
 * a private PostgreSQL server, and misbehaving fakes.
 */
@NullMarked
package dev.caliber.testkit;

import org.jspecify.annotations.NullMarked;
