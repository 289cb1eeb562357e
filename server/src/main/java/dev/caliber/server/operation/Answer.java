package dev.caliber.server.operation;

import java.util.Optional;

/**
 * What came of a call.
 *
 * @param body JSON in UTF-8
 * @param revision of the record that the operation is about
 * @param replayed whether this is the kept answer to an earlier call with the same idempotency key
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, compared by nobody
public record Answer(byte[] body, Optional<Long> revision, boolean replayed) {}
