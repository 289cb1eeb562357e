/** The server and the construction of all modules. Start at {@link CaliberServer}. */
@NullMarked
package dev.caliber.server;

import org.jspecify.annotations.NullMarked;
