/**
 * Admission for every protocol: authentication and permissions ({@link ApiKeys}, {@link
 * Admission}), capacity ({@link CapacityLimiters}), and the TLS certificate.
 */
@NullMarked
package dev.caliber.server.access;

import org.jspecify.annotations.NullMarked;
