package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Egress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A server that speaks OpenAI's API, asked through the guard with a key from the environment. */
public final class ChatServer implements AutoCloseable {
  private final URI endpoint;
  private final Optional<ApiKey> key;
  private final Outbound outbound;

  private ChatServer(URI endpoint, Optional<ApiKey> key, Outbound outbound) {
    this.endpoint = endpoint;
    this.key = key;
    this.outbound = outbound;
  }

  /**
   * Where it is.
   *
   * @param endpoint up to and including its version
   * @param keyVariable the environment variable that holds its key
   */
  public record Address(URI endpoint, Optional<String> keyVariable) {}

  /** Refuses an address that no request may go to, and a key that is not there. */
  public static ChatServer of(
      Address address, Egress egress, Outbound.Limits limits, Map<String, String> environment) {
    Optional<ApiKey> key = address.keyVariable().map(name -> ApiKey.from(name, environment));
    Outbound outbound = Outbound.of("The model's server", egress, limits);
    outbound.check(address.endpoint());
    return new ChatServer(address.endpoint(), key, outbound);
  }

  /** {@code POST /chat/completions}, streamed or not. */
  public Incoming complete(byte[] json) {
    return outbound.post(
        below("/chat/completions"), headers("text/event-stream, application/json"), json);
  }

  /** {@code GET /models}. */
  public Incoming models() {
    return outbound.get(below("/models"), headers("application/json"));
  }

  /** What it said, without the key that it may have repeated. */
  public String withoutKey(String text) {
    return key.map(secret -> secret.cutFrom(text)).orElse(text);
  }

  private URI below(String path) {
    return endpoint.resolve(endpoint.getPath().replaceFirst("/$", "") + path);
  }

  private Map<String, String> headers(String accept) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Accept", accept);
    key.ifPresent(secret -> headers.put("Authorization", secret.header("Bearer ")));
    return headers;
  }

  @Override
  public void close() {
    outbound.close();
  }
}
