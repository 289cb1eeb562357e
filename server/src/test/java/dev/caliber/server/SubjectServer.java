package dev.caliber.server;

import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.NullMarked;

/** A server with keys limited to a subject, and callers that name a subject or none. */
@NullMarked
record SubjectServer(TestServer server, Map<String, String> keys) implements AutoCloseable {
  static final String DENIED = "CALIBER_VALIDATION_SUBJECT_DENIED";

  static SubjectServer of(TestServer server) {
    return new SubjectServer(server, new ConcurrentHashMap<>());
  }

  /** The key of this subject. */
  String key(String subject) {
    return keys.computeIfAbsent(
        subject,
        name ->
            server
                .post("/keys", json("{'name': '%s', 'right': 'WRITE', 'subject': '%s'}", name))
                .text("secret"));
  }

  private static String json(String text, String name) {
    return text.replace('\'', '"').replace("%s", name);
  }

  /** Sends a request with the key of this subject. */
  Reply as(String subject, String path, String json) {
    return server.send(
        authorized(subject, TestServer.json(server.request(path), json.replace('\'', '"'))));
  }

  Reply getAs(String subject, String path) {
    return server.send(authorized(subject, server.request(path).GET()));
  }

  HttpRequest.Builder authorized(String subject, HttpRequest.Builder request) {
    return request.header("Authorization", "Bearer " + key(subject));
  }

  /** Sends a request of the space's own application, which sees every subject. */
  Reply post(String path, String json) {
    return server.post(path, json.replace('\'', '"'));
  }

  /** Returns the texts that this subject's key recalls. */
  List<String> recalledBy(String subject, String query) {
    return texts(as(subject, "/recall", "{'query': '%s', 'limit': 50}".formatted(query)));
  }

  static List<String> texts(Reply recalled) {
    return recalled
        .body()
        .path("hits")
        .valueStream()
        .map(hit -> hit.path("text").asString())
        .toList();
  }

  @Override
  public void close() {
    server.close();
  }
}
