/**
 * Foundation of the tests: engines that contracts run on, a clock that is moved by hand, a private
 * PostgreSQL server, and misbehaving fakes. Start at {@link dev.caliber.testkit.EachEngine}.
 */
@NullMarked
package dev.caliber.testkit;

import org.jspecify.annotations.NullMarked;
