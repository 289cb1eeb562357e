package dev.caliber.server;

import dev.caliber.kernel.SpaceId;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.KeyOperations;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.OperationResult;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.spi.Embedder;

/**
 * The operations of a server in a short process that holds the store itself: the same rights,
 * idempotency records and audit entries, without protocols and background work. Jobs are left to a
 * server, except those that finish a commit of this process.
 */
public final class LocalOperations implements AutoCloseable {
  private final Wiring wiring;
  private final OperationDispatcher operationDispatcher;

  private LocalOperations(Wiring wiring, OperationDispatcher operationDispatcher) {
    this.wiring = wiring;
    this.operationDispatcher = operationDispatcher;
  }

  /** Opens the store, and creates it if there is none. */
  public static LocalOperations open(ServerSetup setup) {
    Wiring wiring = Wiring.openWithoutBackgroundWork(setup);
    try {
      return new LocalOperations(
          wiring,
          OperationDispatcher.of(
              wiring.modules(), setup.server(), KeyOperations.operations(wiring.keys())));
    } catch (Throwable t) {
      wiring.close();
      throw t;
    }
  }

  /**
   * Runs an operation for the user of this process, and then the work that its commit left over.
   *
   * @param actor the name in the audit log
   */
  public OperationResult run(SpaceId space, String actor, OperationRequest request) {
    Caller caller = Admission.localCaller(space, actor);
    OperationResult result = operationDispatcher.run(caller, request);
    if (operationDispatcher.find(request.operation()).isTransactional()) {
      int _ = wiring.jobs().runDue(space);
    }
    return result;
  }

  /** The search index of the store, which its first use opens. */
  public SearchIndex index() {
    return wiring.modules().index();
  }

  /** Returns the number of the last commit of a space. */
  public long lastSequence(SpaceId space) {
    return wiring.modules().store().changes().head(space).sequence();
  }

  /** Loads the embedding model, if the settings name one. */
  public void loadModel() {
    wiring.modules().embedder().ifPresent(Embedder::awaitReady);
  }

  @Override
  public void close() {
    wiring.close();
  }
}
