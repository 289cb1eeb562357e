/**
 * The catalogue of operations over gRPC. {@link GrpcServer} is the door; its messages are made of
 * the contract, {@code openapi.yaml}, so that there is one contract for all protocols.
 */
@NullMarked
package dev.caliber.server.grpc;

import org.jspecify.annotations.NullMarked;
