package dev.caliber.kernel.pack;

/**
 * Adapter of the pack.
 *
 * @param id {@code adapters.kind.name}
 * @param definition its name in the compiled configuration
 */
public record PackAdapter(String id, String definition) {}
