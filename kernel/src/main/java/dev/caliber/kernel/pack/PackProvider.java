package dev.caliber.kernel.pack;

import java.util.Optional;

/**
 * Model that the pack may use.
 *
 * @param apiKey the reference {@code ${ENV:NAME}} to its key
 */
public record PackProvider(
    String name, String type, String model, Optional<String> endpoint, Optional<String> apiKey) {}
