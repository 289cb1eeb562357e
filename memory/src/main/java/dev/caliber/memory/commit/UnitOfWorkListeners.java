package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.UnitOfWorkFactory;
import dev.caliber.memory.event.MemoryEvent;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * Listeners of a unit of work, which run in its commit and in this order. {@link UnitOfWorkFactory}
 * lists them, so that the unit of work depends on none of them.
 *
 * @param beforeEvent called before an event is applied; the action that it returns runs after that
 * @param afterEvent called after an event was applied
 * @param onTrigger called when a turn, scope or trajectory has come to a point that triggers
 *     retention and policies
 */
public record UnitOfWorkListeners(
    List<BiFunction<UnitOfWork, MemoryEvent, Runnable>> beforeEvent,
    List<BiConsumer<UnitOfWork, MemoryEvent>> afterEvent,
    List<BiConsumer<UnitOfWork, FiredTrigger>> onTrigger) {

  /** Trigger with the record that fired it. */
  public record FiredTrigger(
      Trigger.TrajectoryTriggerEvent event, Id about, Id trajectory, Optional<Id> scope) {}
}
