package dev.caliber.server;

import dev.caliber.kernel.Ids;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.models.ChatServer;
import dev.caliber.server.access.Activity;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Capacity;
import dev.caliber.server.access.KeyOperations;
import dev.caliber.server.grpc.GrpcServer;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.proxy.ChatProxy;
import dev.caliber.server.rest.RestServer;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The rooms and what listens for them. */
record RunningServer(Wiring wiring, Activity activity, RestServer rest, Optional<GrpcServer> grpc)
    implements CaliberServer {

  static RunningServer start(Setup setup) {
    Wiring wiring = Wiring.open(setup);
    try {
      Admission admission =
          Admission.of(
              wiring.keys(), setup.server(), setup.clock(), RestServer.isOpen(setup.server()));
      Operations operations =
          Operations.over(wiring.rooms(), setup.server(), others(wiring), admission::count);
      ChangeFeed feed = wiring.rooms().store().changes();
      Ids ids = Ids.of(setup.clock(), setup.chance());
      Activity activity = new Activity(setup.clock());
      Capacity capacity = Capacity.of(setup.server());
      RestServer rest =
          RestServer.start(
              new RestServer.Parts(
                  operations,
                  McpProtocol.of(operations, feed, setup.server()),
                  wiring.opened(proxy(setup, wiring, operations)),
                  wiring.rooms().store(),
                  wiring.rooms()::hasModel,
                  wiring.keys(),
                  admission,
                  capacity,
                  activity,
                  setup.server(),
                  setup.clock(),
                  ids,
                  new Meters(wiring.rooms(), wiring.jobs(), operations)));
      Optional<GrpcServer> grpc =
          grpc(
              rest,
              new GrpcServer.Parts(
                  operations, feed, admission, capacity, activity, setup.server(), ids));
      wiring.models().load(); // not before it listens: whoever waits for that needs the processor
      return new RunningServer(wiring, activity, rest, grpc);
    } catch (Throwable t) {
      wiring.close();
      throw t;
    }
  }

  /** Keys and webhooks are for every protocol; graphs, prompts and chats for one each. */
  static List<Operation<?, ?>> others(Wiring wiring) {
    return Stream.concat(
            Stream.of(KeyOperations.of(wiring.keys()), wiring.webhooks().operations())
                .<Operation<?, ?>>flatMap(List::stream),
            Stream.of(McpProtocol.operations(wiring.rooms()), ChatProxy.operations(wiring.rooms()))
                .<Operation<?, ?>>flatMap(List::stream)
                .<Operation<?, ?>>map(Operation::unlisted))
        .toList();
  }

  private static Optional<GrpcServer> grpc(RestServer rest, GrpcServer.Parts parts) {
    try {
      return Optional.of(parts)
          .filter(wanted -> wanted.config().grpc().isWanted())
          .map(GrpcServer::start);
    } catch (Throwable t) {
      rest.close();
      throw t;
    }
  }

  static ChatProxy proxy(Setup setup, Wiring wiring, Operations operations) {
    ServerConfig.Proxy config = setup.server().proxy();
    ContextConfig context = setup.runtime().context();
    return ChatProxy.of(
        new ChatProxy.Parts(
            operations,
            config.endpoint().map(endpoint -> model(setup, endpoint)),
            wiring.models().embedder(),
            setup.server(),
            context.tokenBudget(),
            setup.memory().limits().text().bytes(),
            new TokenEstimate(context.bytesPerToken())));
  }

  private static ChatServer model(Setup setup, URI endpoint) {
    ServerConfig.Proxy config = setup.server().proxy();
    return ChatServer.of(
        new ChatServer.Address(endpoint, config.keyVariable()),
        setup.models().egress(),
        Wiring.limits(config.waiting(), "server.proxy"),
        setup.environment());
  }

  @Override
  public URI address() {
    return rest.address();
  }

  @Override
  public Duration idle() {
    return activity.idle();
  }

  @Override
  public OptionalInt grpcPort() {
    return grpc.map(GrpcServer::port).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /**
   * First it says by every protocol that it stops: whoever shares out requests sends no more. Who
   * waits for a lease or a message is answered at once, and asks another server.
   */
  @Override
  public void close() {
    rest.announceStop();
    grpc.ifPresent(GrpcServer::announceStop);
    wiring.rooms().agents().endWaiting();
    grpc.ifPresent(GrpcServer::close);
    rest.close();
    wiring.close();
  }
}
