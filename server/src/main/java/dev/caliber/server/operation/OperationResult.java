package dev.caliber.server.operation;

import java.util.Optional;

/**
 * The result of an operation.
 *
 * @param body JSON in UTF-8
 * @param revision the revision of the target record
 * @param replayed whether this is the stored answer to an earlier request with the same idempotency
 *     key
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
public record OperationResult(byte[] body, Optional<Long> revision, boolean replayed) {}
