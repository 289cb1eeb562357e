package dev.caliber.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Record component that is stored in a binary column instead of the body: bytes, or a vector as
 * bytes.
 */
public record BinaryColumn<T>(String name, boolean vector, Function<T, byte @Nullable []> value) {}
