package dev.caliber.memory;

import dev.caliber.memory.commit.EventTrace;
import dev.caliber.memory.commit.PreCommitModelResults;
import dev.caliber.memory.commit.RecordInspection;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.commit.UnitOfWorkListeners;
import dev.caliber.memory.commit.UnitOfWorkListeners.FiredTrigger;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.MemoryEvent.CheckpointSaved;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.policy.PolicyRunStarter;
import dev.caliber.memory.policy.RetentionEnforcer;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.RecordTexts;
import dev.caliber.store.Transaction;
import java.util.List;

/** Factory of units of work with their listeners, and of the dispatcher of commands over them. */
public final class UnitOfWorkFactory {
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final RuleBasedExtraction ruleBasedExtraction;
  private final UnitOfWorkListeners listeners;

  public UnitOfWorkFactory(MemoryConfig config, MemoryDependencies parts) {
    this.config = config;
    this.parts = parts;
    this.ruleBasedExtraction = new RuleBasedExtraction(config);
    this.listeners =
        new UnitOfWorkListeners(
            List.of(this::deleteVectorsOfRemoved),
            List.of(
                EventTrace::writeTrace,
                new RecordInspection(parts)::inspectEvent,
                this::notifyCheckpointListeners),
            List.of(RetentionEnforcer::enforceAfter, UnitOfWorkFactory::startPolicies));
  }

  public UnitOfWork begin(Transaction transaction) {
    return begin(transaction, PreCommitModelResults.NOTHING);
  }

  public UnitOfWork begin(Transaction transaction, PreCommitModelResults preCommitModelResults) {
    return new UnitOfWork(transaction, config, parts, preCommitModelResults, listeners);
  }

  CommandDispatcher dispatcher(Transaction transaction) {
    return dispatcher(begin(transaction));
  }

  CommandDispatcher dispatcher(UnitOfWork unitOfWork) {
    return new CommandDispatcher(unitOfWork, parts.counter(), ruleBasedExtraction);
  }

  RuleBasedExtraction ruleBasedExtraction() {
    return ruleBasedExtraction;
  }

  /** Reads the texts of a record that is removed, and deletes their vectors after that. */
  private Runnable deleteVectorsOfRemoved(UnitOfWork unitOfWork, MemoryEvent event) {
    List<String> texts =
        event instanceof RecordRemoved(var record) && parts.search().isPresent()
            ? new RecordTexts(unitOfWork.view()).textsOf(record)
            : List.of();
    return texts.isEmpty()
        ? () -> {}
        : () -> parts.search().orElseThrow().deleteVectors(unitOfWork.transaction(), texts);
  }

  /** Lets other modules store their data for a checkpoint of this commit. */
  private void notifyCheckpointListeners(UnitOfWork unitOfWork, MemoryEvent event) {
    if (event instanceof CheckpointSaved(var checkpoint)) {
      parts
          .extensions()
          .checkpointListeners()
          .forEach(listener -> listener.onCheckpointSaved(unitOfWork.transaction(), checkpoint));
    }
  }

  private static void startPolicies(UnitOfWork unitOfWork, FiredTrigger firedTrigger) {
    PolicyRunStarter.of(unitOfWork).ifPresent(starter -> starter.startForEvent(firedTrigger));
  }
}
