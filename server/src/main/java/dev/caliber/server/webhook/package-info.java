/**
 * The delivery of a space's commits to addresses outside: signed, retried, and set aside if no
 * attempt succeeds. Start at {@link Webhooks}.
 */
@NullMarked
package dev.caliber.server.webhook;

import org.jspecify.annotations.NullMarked;
