package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;

/**
 * Gives a note or an artifact of one subject to the whole space: removes its subject. A note keeps
 * its entity. The trace has an event of its own, {@code record_promoted}.
 *
 * @param record the id of the note or artifact
 */
public record Promote(Id record) implements Command<EntityRef> {}
