/**
 * The operations over gRPC. Start at {@link GrpcServer}; its messages are derived from {@code
 * openapi.yaml}, so that all protocols share one contract.
 */
@NullMarked
package dev.caliber.server.grpc;

import org.jspecify.annotations.NullMarked;
