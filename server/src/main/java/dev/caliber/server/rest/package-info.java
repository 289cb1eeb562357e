/**
 * REST and event streams for the operations. Start at {@link RestServer}; the contract maps paths
 * to operations, and {@link HttpErrorHandler} maps errors to responses.
 */
@NullMarked
package dev.caliber.server.rest;

import org.jspecify.annotations.NullMarked;
