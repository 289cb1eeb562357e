/** The server's contract, and a thin client of it: {@link CaliberClient}. */
@NullMarked
package dev.caliber.client;

import org.jspecify.annotations.NullMarked;
