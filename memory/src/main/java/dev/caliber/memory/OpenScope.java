package dev.caliber.memory;

import dev.caliber.kernel.Id;

/** Opens one more scope, beside those that are open. */
public record OpenScope(Id trajectory) implements Command<Scope> {}
