/**
 * Client's view of a server over gRPC. Users of this package add the gRPC dependency, as the server
 * does: the other modules are tested without it.
 */
@NullMarked
package dev.caliber.testkit.grpc;

import org.jspecify.annotations.NullMarked;
