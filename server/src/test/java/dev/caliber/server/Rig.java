package dev.caliber.server;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.server.access.ActivityTracker;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.CapacityLimiters;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.proxy.ChatProxy;
import dev.caliber.server.rest.RestServer;
import dev.caliber.store.spi.Embedder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** A server with one operation, {@code GET /spaces}, that waits until a test releases it. */
@NullMarked
final class Rig implements AutoCloseable {
  private final Wiring wiring;
  private final RestServer rest;
  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  Rig(ServerSetup serverSetup) {
    this(serverSetup, Optional.empty(), Optional.empty());
  }

  /** Creates a server whose operation runs this work instead of waiting. */
  Rig(ServerSetup serverSetup, Runnable work) {
    this(serverSetup, Optional.of(work), Optional.empty());
  }

  /** Creates a server with this embedder. */
  Rig(ServerSetup serverSetup, Embedder embedder) {
    this(serverSetup, Optional.empty(), Optional.of(embedder));
  }

  private Rig(ServerSetup serverSetup, Optional<Runnable> work, Optional<Embedder> embedder) {
    wiring = Wiring.open(serverSetup);
    OperationDispatcher operationDispatcher =
        OperationDispatcher.of(
            wiring.modules(),
            serverSetup.server(),
            Stream.concat(
                    RunningServer.additionalOperations(wiring).stream(),
                    Stream.of(waiting(work.orElse(this::await))))
                .toList());
    rest =
        RestServer.start(
            new RestServer.RestServerDependencies(
                operationDispatcher,
                McpProtocol.of(
                    operationDispatcher, wiring.modules().store().changes(), serverSetup.server()),
                embedder
                    .map(one -> proxy(serverSetup, operationDispatcher, one))
                    .orElseGet(
                        () ->
                            RunningServer.createChatProxy(
                                serverSetup, wiring, operationDispatcher)),
                wiring.modules().store(),
                () -> true,
                wiring.keys(),
                Admission.of(wiring.keys(), serverSetup.server(), serverSetup.clock(), true),
                CapacityLimiters.of(serverSetup.server()),
                new ActivityTracker(serverSetup.clock()),
                serverSetup.server(),
                serverSetup.clock(),
                IdGenerator.of(serverSetup.clock(), serverSetup.chance()),
                _ -> {}));
  }

  record Nothing() {}

  record Waited(boolean done) {}

  private static ChatProxy proxy(
      ServerSetup serverSetup, OperationDispatcher operationDispatcher, Embedder embedder) {
    return ChatProxy.of(
        new ChatProxy.ChatProxyDependencies(
            operationDispatcher,
            Optional.empty(),
            Optional.of(embedder),
            serverSetup.server(),
            serverSetup.runtime().context().tokenBudget(),
            serverSetup.memory().limits().text().bytes(),
            new TokenEstimator(serverSetup.runtime().context().bytesPerToken())));
  }

  private static Operation<Nothing, Waited> waiting(Runnable work) {
    return Operation.readOnly(
        "list_spaces",
        Nothing.class,
        (_, _) -> {
          work.run();
          return new Waited(true);
        });
  }

  private void await() {
    entered.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends the waiting request, and returns when it is running. */
  CompletableFuture<HttpResponse<String>> hold() throws InterruptedException {
    var answer = client.sendAsync(request("/api/v1/spaces"), BodyHandlers.ofString());
    entered.await();
    return answer;
  }

  void release() {
    released.countDown();
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(rest.address() + path)).build();
  }

  HttpResponse<String> get(String path) throws java.io.IOException, InterruptedException {
    return client.send(request(path), BodyHandlers.ofString());
  }

  RestServer rest() {
    return rest;
  }

  @Override
  public void close() {
    released.countDown();
    rest.close();
    client.close();
    wiring.close();
  }
}
