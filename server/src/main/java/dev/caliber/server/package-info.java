/** The server and the wiring of all rooms. Start at {@link CaliberServer}. */
@NullMarked
package dev.caliber.server;

import org.jspecify.annotations.NullMarked;
