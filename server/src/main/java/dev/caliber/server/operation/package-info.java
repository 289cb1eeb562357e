/**
 * Everything that can be asked of a server, whatever the protocol: {@link Operations} is the
 * catalogue and the one way to run what is in it. An adapter turns its wire into a {@link Call} and
 * an {@link Answer} back into its wire, and knows nothing else.
 */
@NullMarked
package dev.caliber.server.operation;

import org.jspecify.annotations.NullMarked;
