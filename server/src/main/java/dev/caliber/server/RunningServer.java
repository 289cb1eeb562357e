package dev.caliber.server;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.models.ChatServerClient;
import dev.caliber.server.access.ActivityTracker;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.CapacityLimiters;
import dev.caliber.server.access.KeyOperations;
import dev.caliber.server.grpc.GrpcServer;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
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

/** The modules and the protocol servers. */
record RunningServer(
    Wiring wiring, ActivityTracker activity, RestServer rest, Optional<GrpcServer> grpc)
    implements CaliberServer {

  static RunningServer start(ServerSetup serverSetup) {
    Wiring wiring = Wiring.open(serverSetup);
    try {
      Admission admission =
          Admission.of(
              wiring.keys(),
              serverSetup.server(),
              serverSetup.clock(),
              RestServer.isKeyOptional(serverSetup.server()));
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(
              wiring.modules(),
              serverSetup.server(),
              additionalOperations(wiring),
              admission::chargeRequests);
      ChangeFeed feed = wiring.modules().store().changes();
      IdGenerator idGenerator = IdGenerator.of(serverSetup.clock(), serverSetup.chance());
      ActivityTracker activityTracker = new ActivityTracker(serverSetup.clock());
      CapacityLimiters capacityLimiters = CapacityLimiters.of(serverSetup.server());
      RestServer rest =
          RestServer.start(
              new RestServer.RestServerDependencies(
                  operationDispatcher,
                  McpProtocol.of(operationDispatcher, feed, serverSetup.server()),
                  wiring.closeLater(createChatProxy(serverSetup, wiring, operationDispatcher)),
                  wiring.modules().store(),
                  wiring.modules()::hasSearchModel,
                  wiring.keys(),
                  admission,
                  capacityLimiters,
                  activityTracker,
                  serverSetup.server(),
                  serverSetup.clock(),
                  idGenerator,
                  new SpaceGauges(wiring.modules(), wiring.jobs(), operationDispatcher)));
      Optional<GrpcServer> grpc =
          startGrpc(
              rest,
              new GrpcServer.GrpcServerDependencies(
                  operationDispatcher,
                  feed,
                  admission,
                  capacityLimiters,
                  activityTracker,
                  serverSetup.server(),
                  idGenerator));
      wiring
          .models()
          .startLoading(); // after the server listens: its start and the loading compete for the
      // processor
      return new RunningServer(wiring, activityTracker, rest, grpc);
    } catch (Throwable t) {
      wiring.close();
      throw t;
    }
  }

  /** Returns the operations on keys and webhooks, and those of one protocol (MCP and the proxy). */
  static List<Operation<?, ?>> additionalOperations(Wiring wiring) {
    return Stream.of(
            KeyOperations.operations(wiring.keys()),
            wiring.webhooks().operations(),
            McpProtocol.operations(wiring.modules()),
            ChatProxy.operations(wiring.modules()))
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  private static Optional<GrpcServer> startGrpc(
      RestServer rest, GrpcServer.GrpcServerDependencies grpcServerDependencies) {
    try {
      return Optional.of(grpcServerDependencies)
          .filter(wanted -> wanted.config().grpc().isEnabled())
          .map(GrpcServer::start);
    } catch (Throwable t) {
      rest.close();
      throw t;
    }
  }

  static ChatProxy createChatProxy(
      ServerSetup serverSetup, Wiring wiring, OperationDispatcher operationDispatcher) {
    ServerConfig.ProxySettings config = serverSetup.server().proxy();
    ContextConfig context = serverSetup.runtime().context();
    return ChatProxy.of(
        new ChatProxy.ChatProxyDependencies(
            operationDispatcher,
            config.endpoint().map(endpoint -> createChatServer(serverSetup, endpoint)),
            wiring.models().embedder(),
            serverSetup.server(),
            context.tokenBudget(),
            serverSetup.memory().limits().text().bytes(),
            new TokenEstimator(context.bytesPerToken())));
  }

  private static ChatServerClient createChatServer(ServerSetup serverSetup, URI endpoint) {
    ServerConfig.ProxySettings config = serverSetup.server().proxy();
    return ChatServerClient.of(
        new ChatServerClient.ChatServerAddress(endpoint, config.keyVariable()),
        serverSetup.models().egress(),
        Wiring.outboundLimits(config.waiting(), "server.proxy"),
        serverSetup.environment());
  }

  @Override
  public URI address() {
    return rest.address();
  }

  @Override
  public Duration idleTime() {
    return activity.idleTime();
  }

  @Override
  public OptionalInt grpcPort() {
    return grpc.map(GrpcServer::port).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /**
   * Announces the stop by every protocol, so that load balancers send no more requests. Calls that
   * wait for a lease or a message are answered at once, and their clients ask another server.
   */
  @Override
  public void close() {
    rest.announceStop();
    grpc.ifPresent(GrpcServer::announceStop);
    wiring.modules().agents().endWaiting();
    grpc.ifPresent(GrpcServer::close);
    rest.close();
    wiring.close();
  }
}
