package dev.caliber.memory.context;

import java.util.Optional;

/**
 * Why a rule did not offer all that there is.
 *
 * @param setting the limit that it came to
 * @param most how many records are beyond it at most; as many as at least where they were counted
 */
public record Bound(String setting, Optional<Integer> most) {}
