package dev.caliber.server;

import dev.caliber.server.access.KeyOperations;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.rest.RestServer;
import java.net.URI;

/** The rooms and what listens for them. */
record RunningServer(Wiring wiring, RestServer rest) implements CaliberServer {

  static RunningServer start(Setup setup) {
    Wiring wiring = Wiring.open(setup);
    try {
      Operations operations =
          Operations.over(wiring.rooms(), setup.server(), KeyOperations.of(wiring.keys()));
      return new RunningServer(
          wiring,
          RestServer.start(
              new RestServer.Parts(
                  operations,
                  wiring.rooms().store(),
                  wiring.keys(),
                  setup.server(),
                  setup.clock())));
    } catch (RuntimeException e) {
      wiring.close();
      throw e;
    }
  }

  @Override
  public URI address() {
    return rest.address();
  }

  @Override
  public void close() {
    rest.close();
    wiring.close();
  }
}
