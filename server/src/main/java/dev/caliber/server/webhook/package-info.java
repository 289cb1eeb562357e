/**
 * Commits of a space, told to addresses outside: signed, tried again, put aside when nobody takes
 * them. {@link Webhooks} is the door.
 */
@NullMarked
package dev.caliber.server.webhook;

import org.jspecify.annotations.NullMarked;
