package dev.caliber.server;

import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server that checks every answer against the contract, and keeps the visited routes.
 *
 * @param fence the fence of every writing request
 */
@NullMarked
record CheckedServer(
    TestServer server,
    ContractDocument contract,
    Set<Route> visited,
    List<String> faults,
    Optional<String> fence)
    implements AutoCloseable {

  static CheckedServer of(TestServer server) {
    return new CheckedServer(
        server, new ContractDocument(), new TreeSet<>(), new ArrayList<>(), Optional.empty());
  }

  CheckedServer fencedBy(String other) {
    return new CheckedServer(server, contract, visited, faults, Optional.of(other));
  }

  /** Reads a list twice: as a page, and as lines. */
  Reply get(String path) {
    Reply reply = check("GET", TestServer.BASE + path, server.get(path));
    Route route = contract.route("GET", (TestServer.BASE + path).split("\\?", 2)[0]).orElseThrow();
    if (reply.status() == 200 && contract.hasLines(route)) {
      send(
          "GET",
          TestServer.BASE + path,
          server.request(path).header("Accept", "application/x-ndjson").GET());
    }
    return reply;
  }

  /** Sends a request that must succeed. */
  Reply post(String path, String json) {
    Route route = contract.route("POST", TestServer.BASE + path).orElseThrow();
    ObjectNode body = (ObjectNode) Json.mapper().readTree(json);
    fence
        .filter(_ -> contract.takesFence(route))
        .ifPresent(one -> body.set("fence", Json.mapper().readTree(one)));
    faults.addAll(contract.requestFaults(route, body));
    return expect(
        200, path, check("POST", TestServer.BASE + path, server.post(path, body.toString())));
  }

  /** Sends a request that must be refused. */
  Reply refused(String path, String json, int status) {
    return expect(status, path, check("POST", TestServer.BASE + path, server.post(path, json)));
  }

  private Reply expect(int status, String path, Reply reply) {
    if (reply.status() != status) {
      faults.add("%s answers %d: %s".formatted(path, reply.status(), reply.body()));
    }
    return reply;
  }

  Reply send(String method, String path, HttpRequest.Builder request) {
    return check(method, path, server.send(request));
  }

  private Reply check(String method, String path, Reply reply) {
    Route route = contract.route(method, path.split("\\?", 2)[0]).orElseThrow();
    faults.addAll(contract.answerFaults(route, reply));
    if (reply.status() == 200) {
      visited.add(route);
    }
    return reply;
  }

  @Override
  public void close() {
    server.close();
  }
}
