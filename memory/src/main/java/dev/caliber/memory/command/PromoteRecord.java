package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;

/**
 * Command that promotes a note or an artifact from one subject to the whole space by removing its
 * subject. A note keeps its entity. The trace event is {@code record_promoted}.
 *
 * @param record id of the note or artifact
 */
public record PromoteRecord(Id record) implements Command<EntityRef> {}
