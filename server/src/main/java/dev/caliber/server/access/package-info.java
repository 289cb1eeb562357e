/**
 * What every protocol shares at its edge: who may call, what each may do where ({@link Keys},
 * {@link Admission}), how much is done at a time ({@link Capacity}), and the certificate.
 */
@NullMarked
package dev.caliber.server.access;

import org.jspecify.annotations.NullMarked;
