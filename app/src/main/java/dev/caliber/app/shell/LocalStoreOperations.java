package dev.caliber.app.shell;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.LocalOperations;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Operations that this process runs itself, as no server holds the store.
 *
 * @param actor the name in the audit log
 * @param semantic whether the operations compare by meaning
 */
record LocalStoreOperations(
    LocalOperations operations,
    CommandContext commandContext,
    SpaceId space,
    String actor,
    boolean semantic)
    implements StoreOperations {

  /** Runs the operation on the input as a server would read it. */
  @Override
  public JsonNode run(String operation, OperationInput input) {
    JsonNode sent = Json.read(Json.bytes(input.json()), JsonNode.class);
    OperationRequest request = OperationRequest.of(operation, sent);
    return Json.read(operations.run(space, actor, request).body(), JsonNode.class);
  }

  /** Loads the embedding model, whose loading may take a moment. */
  LocalStoreOperations withLoadedModel() {
    try (ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      bar.showMessage("Loading the embedding model…");
      operations.loadModel();
      return this;
    } catch (Throwable t) {
      operations.close();
      throw t;
    }
  }

  @Override
  public Optional<String> embedBacklog() {
    if (!semantic) {
      return Optional.empty();
    }
    awaitIndexed();
    long backlog = operations.index().status(space).backlog();
    if (backlog > commandContext.configs().command().recall().embeddingLimit()) {
      return Optional.of(
          "Texts without a vector: %,d. Run 'caliber index embed' to find them by meaning"
              .formatted(backlog));
    }
    try (ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      operations.index().embedPending(space, bar);
      return Optional.empty();
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return Optional.of("Not every text has a vector: " + e.getMessage());
    }
  }

  @Override
  public void awaitIndexed() {
    OpenIndex.awaitSequence(operations.index(), space, operations.lastSequence(space));
  }

  @Override
  public void close() {
    operations.close();
  }
}
