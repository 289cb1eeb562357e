package dev.caliber.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A component that is kept in a binary column instead of the body: bytes, or a vector as bytes. */
record Binary<T>(String name, boolean vector, Function<T, byte @Nullable []> value) {}
