package dev.caliber.server;

import dev.caliber.kernel.Ids;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.server.access.Activity;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Capacity;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Operations;
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

/** A server one of whose operations waits until a test lets it go: {@code GET /spaces}. */
@NullMarked
final class Rig implements AutoCloseable {
  private final Wiring wiring;
  private final RestServer rest;
  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  Rig(Setup setup) {
    this(setup, Optional.empty(), Optional.empty());
  }

  /** Whose operation does this instead of waiting. */
  Rig(Setup setup, Runnable work) {
    this(setup, Optional.of(work), Optional.empty());
  }

  /** Whose vectors come from this embedder. */
  Rig(Setup setup, Embedder embedder) {
    this(setup, Optional.empty(), Optional.of(embedder));
  }

  private Rig(Setup setup, Optional<Runnable> work, Optional<Embedder> embedder) {
    wiring = Wiring.open(setup);
    Operations operations =
        Operations.over(
            wiring.rooms(),
            setup.server(),
            Stream.concat(
                    RunningServer.others(wiring).stream(),
                    Stream.of(waiting(work.orElse(this::await))))
                .toList());
    rest =
        RestServer.start(
            new RestServer.Parts(
                operations,
                McpProtocol.of(operations, wiring.rooms().store().changes(), setup.server()),
                embedder
                    .map(one -> proxy(setup, operations, one))
                    .orElseGet(() -> RunningServer.proxy(setup, wiring, operations)),
                wiring.rooms().store(),
                () -> true,
                wiring.keys(),
                Admission.of(wiring.keys(), setup.server(), setup.clock(), true),
                Capacity.of(setup.server()),
                new Activity(setup.clock()),
                setup.server(),
                setup.clock(),
                Ids.of(setup.clock(), setup.chance()),
                _ -> {}));
  }

  record Nothing() {}

  record Waited(boolean done) {}

  private static ChatProxy proxy(Setup setup, Operations operations, Embedder embedder) {
    return ChatProxy.of(
        new ChatProxy.Parts(
            operations,
            Optional.empty(),
            Optional.of(embedder),
            setup.server(),
            setup.runtime().context().tokenBudget(),
            setup.memory().limits().text().bytes(),
            new TokenEstimate(setup.runtime().context().bytesPerToken())));
  }

  private static Operation<Nothing, Waited> waiting(Runnable work) {
    return Operation.reading(
        "list_spaces",
        "Waits.",
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

  /** Asks for what waits, and comes back when it is being worked on. */
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
