package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.OperationResult;
import dev.caliber.server.operation.ServerModules;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** All modules of a server forget in the commit of the record, up to a batch. */
@Timeout(120)
class ForgetInOneCommitTest {
  private static final Caller ANNA =
      new Caller("1", "ci", SpaceId.DEFAULT, AccessRight.ADMIN, List.of());
  private static final String SECRET = "The vault opens with swordfish.";
  private static final String WINDOWS = "context_window";
  private static final String ANSWERS = "kept_answer";
  private static final String VECTORS = "embedding";
  private static final int MOST = 500;

  @TempDir Path directory;

  @Test
  @DisplayName(
      "LIF-10: turn, summary, vector, window and kept answer go in one and the same commit")
  void everythingThatQuotesGoesAtOnce() {
    try (Wiring wiring = Wiring.open(TestServer.setup(directory, TestServer.starter()))) {
      ServerModules serverModules = wiring.modules();
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(serverModules, TestServer.starter(), List.of());
      JsonNode said =
          json(
              operationDispatcher.run(
                  ANNA,
                  keyed(
                      "append_turns",
                      "{'session': 's1', 'turns': [{'role': 'USER', 'text': '" + SECRET + "'}]}")));
      Id turn = Id.parse(said.path("items").path(0).path("id").asString());
      Id scope = Id.parse(said.path("items").path(0).path("scope").asString());
      operationDispatcher.run(
          ANNA,
          keyed("assemble_context", "{'session': 's1', 'query': 'swordfish', 'max_tokens': 500}"));
      serverModules.memory().run(SpaceId.DEFAULT, CloseScope.of(scope));
      embed(serverModules);
      serverModules
          .store()
          .commit(
              SpaceId.DEFAULT,
              transaction -> {
                Map<String, Long> before = counted(transaction);
                assertThat(before.get(WINDOWS)).isPositive();
                assertThat(before.get(ANSWERS)).isPositive();
                assertThat(told(transaction, scope)).contains(SECRET);
                serverModules.memory().run(transaction, ForgetRecords.of(turn));
                Map<String, Long> after = counted(transaction);
                assertThat(transaction.find(Turn.TABLE, turn)).isEmpty();
                assertThat(told(transaction, scope)).isEmpty();
                assertThat(after).containsEntry(WINDOWS, 0L).containsEntry(ANSWERS, 0L);
                assertThat(after.get(VECTORS)).isLessThan(before.get(VECTORS));
              });
      assertThat(serverModules.store().read(SpaceId.DEFAULT, ForgetInOneCommitTest::texts))
          .doesNotContain("swordfish");
    }
  }

  private static String told(Snapshot snapshot, Id scope) {
    return snapshot.get(Scope.TABLE, scope).summary().map(Summary::text).orElse("");
  }

  private static OperationRequest keyed(String operation, String input) {
    return new OperationRequest(
        operation,
        Json.mapper().readTree(input.replace('\'', '"')),
        Optional.of(operation),
        Optional.empty());
  }

  private static JsonNode json(OperationResult operationResult) {
    return Json.mapper().readTree(operationResult.body());
  }

  /** Waits until the turn has its vector. */
  private static void embed(ServerModules serverModules) {
    long head = serverModules.store().changes().head(SpaceId.DEFAULT).sequence();
    serverModules.index().awaitSequence(SpaceId.DEFAULT, head);
    while (serverModules.index().status(SpaceId.DEFAULT).backlog() > 0) {
      Thread.onSpinWait();
    }
  }

  private static Map<String, Long> counted(Snapshot snapshot) {
    Map<String, Long> counts = new TreeMap<>();
    Wiring.tables().forEach(table -> counts.put(table.name(), snapshot.count(Query.over(table))));
    return counts;
  }

  private static String texts(Snapshot snapshot) {
    StringBuilder all = new StringBuilder();
    for (Table<?> table : Wiring.tables()) {
      all.append(snapshot.scan(Query.over(table), MOST).records());
    }
    return all.toString();
  }
}
