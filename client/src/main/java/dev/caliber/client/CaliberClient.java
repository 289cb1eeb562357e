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
 * A blocking, thread-safe client of one server. It sends and returns JSON and holds no logic; a
 * refusal of the server is a {@link CaliberClientException}.
 */
public final class CaliberClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String BASE = "/api/v1";
  private static final int OK = 200;
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(30);

  private final HttpClient http;
  private final ConnectionSettings connectionSettings;

  private CaliberClient(HttpClient http, ConnectionSettings connectionSettings) {
    this.http = http;
    this.connectionSettings = connectionSettings;
  }

  private record ConnectionSettings(
      URI server,
      Optional<String> key,
      Optional<String> space,
      Optional<String> subject,
      Optional<Duration> timeout) {
    /** Resolves a path of the API below the server's own path, such as one that a proxy adds. */
    URI resolve(String path) {
      return URI.create(server.toString().replaceFirst("/+$", "") + path);
    }
  }

  /** Creates a client without a key, for the space that the server chooses. */
  public static CaliberClient of(URI server) {
    return new CaliberClient(
        HttpClient.newBuilder().connectTimeout(CONNECT_BOUND).build(),
        new ConnectionSettings(
            server, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
  }

  /** Returns a client with an API key; the rest is as in this client. */
  public CaliberClient withKey(String key) {
    return new CaliberClient(
        http,
        new ConnectionSettings(
            connectionSettings.server,
            Optional.of(key),
            connectionSettings.space,
            connectionSettings.subject,
            connectionSettings.timeout));
  }

  /** Returns a client for a space; the rest is as in this client. */
  public CaliberClient inSpace(String space) {
    return new CaliberClient(
        http,
        new ConnectionSettings(
            connectionSettings.server,
            connectionSettings.key,
            Optional.of(space),
            connectionSettings.subject,
            connectionSettings.timeout));
  }

  /**
   * Returns a client of one subject: calls see its records and shared ones, and write its records.
   */
  public CaliberClient forSubject(String subject) {
    return new CaliberClient(
        http,
        new ConnectionSettings(
            connectionSettings.server,
            connectionSettings.key,
            connectionSettings.space,
            Optional.of(subject),
            connectionSettings.timeout));
  }

  /** Returns a client whose calls take no longer than this; the rest is as in this client. */
  public CaliberClient withTimeout(Duration patience) {
    return new CaliberClient(
        http,
        new ConnectionSettings(
            connectionSettings.server,
            connectionSettings.key,
            connectionSettings.space,
            connectionSettings.subject,
            Optional.of(patience)));
  }

  /** Returns an empty JSON object to fill. */
  public static ObjectNode emptyObject() {
    return JSON.createObjectNode();
  }

  /** Remembers a sentence as a note. */
  public JsonNode remember(String text) {
    return post("/remember", emptyObject().put("text", text));
  }

  /** Finds the records that answer a question. */
  public JsonNode recall(String query) {
    return post("/recall", emptyObject().put("query", query));
  }

  /** Composes the context for the next model call. */
  public JsonNode assembleContext(JsonNode request) {
    return post("/context/assemble", request);
  }

  /** Composes a pack of these files; a key is a path in the pack, a value the content. */
  public JsonNode composePack(Map<String, byte[]> files) {
    return post("/dsl/compose", packBody(files));
  }

  /** Deploys a pack of these files and activates it in the space. */
  public JsonNode deployPack(Map<String, byte[]> files) {
    return post("/dsl/deploy", packBody(files));
  }

  private static ObjectNode packBody(Map<String, byte[]> files) {
    ObjectNode pack = emptyObject();
    ObjectNode all = pack.putObject("files");
    files.forEach(all::put);
    return pack;
  }

  /** Runs any other reading operation; the path is the contract's, without {@code /api/v1}. */
  public JsonNode get(String path) {
    return send(requestBuilder(path).GET());
  }

  /** Runs any other reading operation with query parameters. */
  public JsonNode get(String path, Map<String, String> query) {
    StringBuilder full = new StringBuilder(path);
    query.forEach(
        (name, value) ->
            full.append(full.indexOf("?") < 0 ? '?' : '&')
                .append(encodePathSegment(name))
                .append('=')
                .append(encodePathSegment(value)));
    return get(full.toString());
  }

  /** Runs any other operation with a body. */
  public JsonNode post(String path, JsonNode body) {
    return send(postBuilder(requestBuilder(path), body));
  }

  /** Runs an operation with a body once, however often it is sent with this idempotency key. */
  public JsonNode postOnce(String path, JsonNode body, String idempotencyKey) {
    return send(postBuilder(requestBuilder(path), body).header("Idempotency-Key", idempotencyKey));
  }

  /** Percent-encodes one segment of a path. */
  public static String encodePathSegment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static HttpRequest.Builder postBuilder(HttpRequest.Builder request, JsonNode body) {
    return request
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
  }

  private HttpRequest.Builder requestBuilder(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(connectionSettings.resolve(BASE + path));
    connectionSettings.key.ifPresent(key -> request.header("Authorization", "Bearer " + key));
    connectionSettings.space.ifPresent(space -> request.header("Caliber-Space", space));
    connectionSettings.subject.ifPresent(subject -> request.header("Caliber-Subject", subject));
    connectionSettings.timeout.ifPresent(request::timeout);
    return request;
  }

  private JsonNode send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      if (answer.statusCode() != OK) {
        throw CaliberClientException.of(answer);
      }
      return JSON.readTree(answer.body());
    } catch (JacksonException e) {
      throw CaliberClientException.unreadableResponse(connectionSettings.server, e);
    } catch (HttpTimeoutException e) {
      throw CaliberClientException.timedOut(connectionSettings.server, e);
    } catch (IOException e) {
      throw CaliberClientException.unreachable(connectionSettings.server, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CaliberClientException.unreachable(connectionSettings.server, e);
    }
  }

  /** Closes the connections, which clients derived from this one share. */
  @Override
  public void close() {
    http.close();
  }
}
