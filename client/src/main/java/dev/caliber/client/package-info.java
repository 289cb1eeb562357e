/** The server's API definitions, and a thin client: {@link CaliberClient}. */
@NullMarked
package dev.caliber.client;

import org.jspecify.annotations.NullMarked;
