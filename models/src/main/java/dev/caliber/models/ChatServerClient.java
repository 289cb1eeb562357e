package dev.caliber.models;

import dev.caliber.models.ModelsConfig.EgressHostSettings;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Client of a server with OpenAI's API, reached through the egress guard with a key from the
 * environment.
 */
public final class ChatServerClient implements AutoCloseable {
  private final URI endpoint;
  private final Optional<ProviderApiKey> key;
  private final GuardedHttpClient guardedHttpClient;

  private ChatServerClient(
      URI endpoint, Optional<ProviderApiKey> key, GuardedHttpClient guardedHttpClient) {
    this.endpoint = endpoint;
    this.key = key;
    this.guardedHttpClient = guardedHttpClient;
  }

  /**
   * Address of the server.
   *
   * @param endpoint up to and including its version
   * @param keyVariable the environment variable that holds its key
   */
  public record ChatServerAddress(URI endpoint, Optional<String> keyVariable) {}

  /** Creates a client; refuses an address that no request may go to, and a missing key. */
  public static ChatServerClient of(
      ChatServerAddress chatServerAddress,
      EgressHostSettings egressHostSettings,
      GuardedHttpClient.HttpClientLimits httpClientLimits,
      Map<String, String> environment) {
    Optional<ProviderApiKey> key =
        chatServerAddress.keyVariable().map(name -> ProviderApiKey.from(name, environment));
    GuardedHttpClient guardedHttpClient =
        GuardedHttpClient.of("the chat model server", egressHostSettings, httpClientLimits);
    guardedHttpClient.check(chatServerAddress.endpoint());
    return new ChatServerClient(chatServerAddress.endpoint(), key, guardedHttpClient);
  }

  /** Sends {@code POST /chat/completions}, streamed or not. */
  public ResponseStream postCompletion(byte[] json) {
    return guardedHttpClient.post(
        endpointPath("/chat/completions"), headers("text/event-stream, application/json"), json);
  }

  /** Sends {@code GET /models}. */
  public ResponseStream listModels() {
    return guardedHttpClient.get(endpointPath("/models"), headers("application/json"));
  }

  /** Returns the server's text without the key, which it may have repeated. */
  public String removeKey(String text) {
    return key.map(secret -> secret.removeFrom(text)).orElse(text);
  }

  private URI endpointPath(String path) {
    return endpoint.resolve(endpoint.getPath().replaceFirst("/$", "") + path);
  }

  private Map<String, String> headers(String accept) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Accept", accept);
    key.ifPresent(secret -> headers.put("Authorization", secret.headerValue("Bearer ")));
    return headers;
  }

  @Override
  public void close() {
    guardedHttpClient.close();
  }
}
