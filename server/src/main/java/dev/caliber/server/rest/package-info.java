/**
 * REST and event streams over the catalogue of operations. {@link RestServer} is the door; {@link
 * Routes} says which path is which operation, and {@link Problems} how errors look on the wire.
 */
@NullMarked
package dev.caliber.server.rest;

import org.jspecify.annotations.NullMarked;
