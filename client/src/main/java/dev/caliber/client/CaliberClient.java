package dev.caliber.client;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client of one server: sends JSON, gives JSON back, and decides nothing. Calls block; it is safe
 * for many threads. What the server refuses is a {@link CaliberProblem}.
 */
public final class CaliberClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String BASE = "/api/v1";
  private static final int OK = 200;
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(30);

  private final HttpClient http;
  private final Target target;

  private CaliberClient(HttpClient http, Target target) {
    this.http = http;
    this.target = target;
  }

  private record Target(
      URI server,
      Optional<String> key,
      Optional<String> space,
      Optional<String> subject,
      Optional<Duration> patience) {
    /** Below the path that the server has, if a proxy gives it one. */
    URI at(String path) {
      return URI.create(server.toString().replaceFirst("/+$", "") + path);
    }
  }

  /** A client without a key, for the space that the server chooses. */
  public static CaliberClient of(URI server) {
    return new CaliberClient(
        HttpClient.newBuilder().connectTimeout(CONNECT_BOUND).build(),
        new Target(server, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
  }

  /** The same with an API key. */
  public CaliberClient withKey(String key) {
    return new CaliberClient(
        http,
        new Target(target.server, Optional.of(key), target.space, target.subject, target.patience));
  }

  /** The same for a space. */
  public CaliberClient inSpace(String space) {
    return new CaliberClient(
        http,
        new Target(target.server, target.key, Optional.of(space), target.subject, target.patience));
  }

  /** A client of one subject: calls see its records and shared ones, and write its records. */
  public CaliberClient forSubject(String subject) {
    return new CaliberClient(
        http,
        new Target(target.server, target.key, target.space, Optional.of(subject), target.patience));
  }

  /** The same, but no call takes longer than this. */
  public CaliberClient waitingAtMost(Duration patience) {
    return new CaliberClient(
        http,
        new Target(target.server, target.key, target.space, target.subject, Optional.of(patience)));
  }

  /** An empty JSON object to fill. */
  public static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Remembers a sentence as a note. */
  public JsonNode remember(String text) {
    return post("/remember", object().put("text", text));
  }

  /** Finds what answers a question. */
  public JsonNode recall(String query) {
    return post("/recall", object().put("query", query));
  }

  /** Composes the context for the next model call. */
  public JsonNode assemble(JsonNode request) {
    return post("/context/assemble", request);
  }

  /** Composes a pack of these files; path in the pack to content. */
  public JsonNode compose(Map<String, byte[]> files) {
    return post("/dsl/compose", pack(files));
  }

  /** Deploys a pack of these files, and lets the space run on it. */
  public JsonNode deploy(Map<String, byte[]> files) {
    return post("/dsl/deploy", pack(files));
  }

  private static ObjectNode pack(Map<String, byte[]> files) {
    ObjectNode pack = object();
    ObjectNode all = pack.putObject("files");
    files.forEach(all::put);
    return pack;
  }

  /** Any other operation that reads; the path is that of the contract behind {@code /api/v1}. */
  public JsonNode get(String path) {
    return send(request(path).GET());
  }

  /** The same with parameters of the query. */
  public JsonNode get(String path, Map<String, String> query) {
    StringBuilder full = new StringBuilder(path);
    query.forEach(
        (name, value) ->
            full.append(full.indexOf("?") < 0 ? '?' : '&')
                .append(encoded(name))
                .append('=')
                .append(encoded(value)));
    return get(full.toString());
  }

  /** Any other operation with a body. */
  public JsonNode post(String path, JsonNode body) {
    return send(post(request(path), body));
  }

  /** The same, done once however often it is sent with this key. */
  public JsonNode postOnce(String path, JsonNode body, String idempotencyKey) {
    return send(post(request(path), body).header("Idempotency-Key", idempotencyKey));
  }

  /** A piece of a path. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static HttpRequest.Builder post(HttpRequest.Builder request, JsonNode body) {
    return request
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(target.at(BASE + path));
    target.key.ifPresent(key -> request.header("Authorization", "Bearer " + key));
    target.space.ifPresent(space -> request.header("Caliber-Space", space));
    target.subject.ifPresent(subject -> request.header("Caliber-Subject", subject));
    target.patience.ifPresent(request::timeout);
    return request;
  }

  private JsonNode send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      if (answer.statusCode() != OK) {
        throw CaliberProblem.of(answer);
      }
      return JSON.readTree(answer.body());
    } catch (JacksonException e) {
      throw CaliberProblem.notUnderstood(target.server, e);
    } catch (HttpTimeoutException e) {
      throw CaliberProblem.tooLate(target.server, e);
    } catch (IOException e) {
      throw CaliberProblem.unreachable(target.server, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CaliberProblem.unreachable(target.server, e);
    }
  }

  /** Lets go of connections; clients that were made of this one share them. */
  @Override
  public void close() {
    http.close();
  }
}
