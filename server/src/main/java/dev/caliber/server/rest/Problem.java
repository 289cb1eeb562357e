package dev.caliber.server.rest;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An error on the wire (RFC 9457).
 *
 * @param code stable, for programs
 * @param pointer the place in the input, as a JSON pointer
 * @param advice what to do about it
 * @param errors all of them, where there are several
 * @param fields what the detail speaks of, by name
 */
record Problem(
    String type,
    String title,
    int status,
    String detail,
    String code,
    Optional<String> pointer,
    Optional<String> advice,
    Optional<List<String>> errors,
    Optional<Map<String, String>> fields) {}
