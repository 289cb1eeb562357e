package dev.caliber.kernel.pack;

/**
 * An adapter of the pack.
 *
 * @param id {@code adapters.kind.name}
 * @param definition what it is called in the compiled configuration
 */
public record PackAdapter(String id, String definition) {}
