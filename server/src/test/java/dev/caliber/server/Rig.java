package dev.caliber.server;

import dev.caliber.server.access.Activity;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Capacity;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.rest.RestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
    wiring = Wiring.open(setup);
    Operations operations =
        Operations.over(
            wiring.rooms(),
            setup.server(),
            Stream.concat(RunningServer.others(wiring).stream(), Stream.of(waiting())).toList());
    rest =
        RestServer.start(
            new RestServer.Parts(
                operations,
                McpProtocol.of(operations, wiring.rooms().store().changes(), setup.server()),
                RunningServer.proxy(setup, wiring, operations),
                wiring.rooms().store(),
                () -> true,
                wiring.keys(),
                Admission.of(wiring.keys(), setup.server(), setup.clock(), true),
                Capacity.of(setup.server()),
                new Activity(setup.clock()),
                setup.server(),
                setup.clock(),
                _ -> {}));
  }

  record Nothing() {}

  record Waited(boolean done) {}

  private Operation<Nothing, Waited> waiting() {
    return Operation.reading(
        "list_spaces",
        "Waits.",
        Nothing.class,
        (_, _) -> {
          entered.countDown();
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
          }
          return new Waited(true);
        });
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
