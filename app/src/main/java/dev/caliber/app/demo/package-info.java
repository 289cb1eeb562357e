/** The demo: two days of an agent's work, each promise checked. Start at {@link DemoCommand}. */
@NullMarked
package dev.caliber.app.demo;

import org.jspecify.annotations.NullMarked;
