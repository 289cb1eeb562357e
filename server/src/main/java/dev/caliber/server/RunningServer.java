package dev.caliber.server;

import dev.caliber.server.access.KeyOperations;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.rest.RestServer;
import dev.caliber.store.ChangeFeed;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The rooms and what listens for them. */
record RunningServer(Wiring wiring, RestServer rest) implements CaliberServer {

  static RunningServer start(Setup setup) {
    Wiring wiring = Wiring.open(setup);
    try {
      Operations operations =
          Operations.over(
              wiring.rooms(),
              setup.server(),
              Stream.of(KeyOperations.of(wiring.keys()), McpProtocol.operations(wiring.rooms()))
                  .<Operation<?, ?>>flatMap(List::stream)
                  .toList());
      ChangeFeed feed = wiring.rooms().store().changes();
      return new RunningServer(
          wiring,
          RestServer.start(
              new RestServer.Parts(
                  operations,
                  McpProtocol.of(operations, feed, setup.server()),
                  wiring.rooms().store(),
                  wiring.rooms()::hasModel,
                  wiring.keys(),
                  setup.server(),
                  setup.clock())));
    } catch (Throwable t) {
      wiring.close();
      throw t;
    }
  }

  @Override
  public URI address() {
    return rest.address();
  }

  @Override
  public Duration idle() {
    return rest.idle();
  }

  @Override
  public void close() {
    rest.close();
    wiring.close();
  }
}
