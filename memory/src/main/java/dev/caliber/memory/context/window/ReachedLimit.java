package dev.caliber.memory.context.window;

import java.util.Optional;

/**
 * Limit at which a rule stopped.
 *
 * @param setting the setting of the limit
 * @param most maximum number of records beyond it; equal to the minimum where they were counted
 */
public record ReachedLimit(String setting, Optional<Integer> most) {}
