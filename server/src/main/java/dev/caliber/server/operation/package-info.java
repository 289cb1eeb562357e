/**
 * All operations of the server, independent of the protocol: {@link OperationDispatcher} is the
 * catalogue and the one way to run them. A protocol adapter converts its requests to {@link
 * OperationRequest} and an {@link OperationResult} to its responses.
 */
@NullMarked
package dev.caliber.server.operation;

import org.jspecify.annotations.NullMarked;
