/**
 * A server over gRPC as a stranger sees it. Whoever uses this brings gRPC along, as the server
 * does: the other rooms are tested without it.
 */
@NullMarked
package dev.caliber.testkit.grpc;

import org.jspecify.annotations.NullMarked;
