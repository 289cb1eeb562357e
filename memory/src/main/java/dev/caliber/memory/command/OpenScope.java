package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Scope;

/** Command that opens another scope, beside those that are open. */
public record OpenScope(Id trajectory) implements Command<Scope> {}
