package dev.caliber.models;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.DataSize;
import dev.caliber.models.ModelsConfig.EgressHostSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client for outgoing requests, which the egress guard checks. Redirects are not followed, no
 * proxy is used, nothing is sent twice, and the size and the total time of an answer are bounded.
 * The addresses of a name are looked up once for a connection, checked, and connected to.
 */
public final class GuardedHttpClient implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String RETRY_AFTER = "Retry-After";

  private final String target;
  private final EgressGuard guard;
  private final HttpClientLimits httpClientLimits;
  private final Set<Call> activeCalls = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  @GuardedBy("this")
  private @Nullable OkHttpClient made;

  GuardedHttpClient(String to, EgressGuard guard, HttpClientLimits httpClientLimits) {
    this.target = to;
    this.guard = guard;
    this.httpClientLimits = httpClientLimits;
  }

  /**
   * Returns the client, created for the first request: it reads the trusted certificates of this
   * machine, which takes time.
   */
  private synchronized OkHttpClient client() {
    OkHttpClient client = made;
    if (client == null) {
      client =
          new OkHttpClient.Builder()
              .dns(this::addresses)
              .proxy(Proxy.NO_PROXY)
              .followRedirects(false)
              .followSslRedirects(false)
              .retryOnConnectionFailure(false)
              .addNetworkInterceptor(chain -> withoutImmediateRetry(chain.proceed(chain.request())))
              .connectTimeout(httpClientLimits.connectTimeout())
              .readTimeout(httpClientLimits.readTimeout())
              .writeTimeout(httpClientLimits.readTimeout())
              .build();
      made = client;
    }
    return client;
  }

  /** Removes a header that makes OkHttp repeat the request at once when a server is busy. */
  private static Response withoutImmediateRetry(Response answer) {
    String pause = answer.header(RETRY_AFTER, "");
    return pause != null && pause.matches("0+")
        ? answer.newBuilder().removeHeader(RETRY_AFTER).build()
        : answer;
  }

  /**
   * Time and size limits.
   *
   * @param readTimeout the longest silence
   * @param callTimeout the longest time of a whole call
   * @param responseLimit the longest answer
   * @param settingsSection the section that sets the limits, for messages
   */
  public record HttpClientLimits(
      Duration connectTimeout,
      Duration readTimeout,
      Duration callTimeout,
      DataSize responseLimit,
      String settingsSection) {
    HttpClientLimits withCallTimeout(Duration other) {
      return new HttpClientLimits(
          connectTimeout, readTimeout, other, responseLimit, settingsSection);
    }
  }

  /** Returns a client that can reach only the hosts that these rules list. */
  public static GuardedHttpClient of(
      String to, EgressHostSettings rules, HttpClientLimits httpClientLimits) {
    return new GuardedHttpClient(to, EgressGuard.of(rules), httpClientLimits);
  }

  /** Refuses a forbidden address, as far as that is possible without a request. */
  public void check(URI address) {
    guard.check(address);
  }

  /** Posts JSON; the caller closes the answer. */
  public ResponseStream post(URI address, Map<String, String> headers, byte[] json) {
    return post(address, headers, json, httpClientLimits.callTimeout());
  }

  ResponseStream post(URI address, Map<String, String> headers, byte[] json, Duration whole) {
    return send(
        request(address, headers).post(RequestBody.create(json, MediaType.get(JSON))), whole);
  }

  /** Sends a GET request; the caller closes the answer. */
  public ResponseStream get(URI address, Map<String, String> headers) {
    return send(request(address, headers).get(), httpClientLimits.callTimeout());
  }

  private static Request.Builder request(URI address, Map<String, String> headers) {
    Request.Builder request =
        new Request.Builder().url(url(address)).header("User-Agent", "caliber");
    headers.forEach(request::header);
    return request;
  }

  private static HttpUrl url(URI address) {
    try {
      return HttpUrl.get(address.toString());
    } catch (IllegalArgumentException _) {
      throw ModelsException.egressDenied(
          Objects.requireNonNullElse(address.getHost(), ""),
          "the address does not begin with http:// or https://");
    }
  }

  private ResponseStream send(Request.Builder builder, Duration whole) {
    Request request = builder.build();
    guard.check(request.url().scheme(), request.url().host());
    Call call = client().newCall(request);
    call.timeout().timeout(whole.toNanos(), TimeUnit.NANOSECONDS);
    activeCalls.add(call);
    if (closed) {
      call.cancel();
    }
    try {
      return new ResponseStream(
          call.execute(),
          this,
          httpClientLimits.withCallTimeout(whole),
          () -> activeCalls.remove(call));
    } catch (IOException e) {
      activeCalls.remove(call);
      throw requestFailure(e, whole);
    }
  }

  /** Returns the checked addresses for a new connection; OkHttp connects to no others. */
  private List<InetAddress> addresses(String host) throws UnknownHostException {
    try {
      return guard.allowedAddresses(host);
    } catch (ModelsException e) {
      UnknownHostException refused = new UnknownHostException(host);
      refused.initCause(e);
      throw refused;
    }
  }

  /*
   * Only the type of the cause is included: messages of the client may hold parts of the request.
   */
  ModelsException requestFailure(IOException e, Duration whole) {
    return switch (e) {
      case UnknownHostException unknown when unknown.getCause() instanceof ModelsException known ->
          known;
      case UnknownHostException _ ->
          ModelsException.requestFailed(target, "the name of the host has no address");
      case ResponseStream.ResponseTooLongException _ ->
          ModelsException.invalidResponse(
              target,
              "the answer is longer than the limit %s.response-limit (%s)"
                  .formatted(httpClientLimits.settingsSection(), httpClientLimits.responseLimit()));
      case InterruptedIOException _ when Thread.currentThread().isInterrupted() ->
          ModelsException.interrupted();
      case InterruptedIOException late when late.getClass() == InterruptedIOException.class ->
          ModelsException.requestFailed(target, "the answer was not complete within " + whole);
      default -> ModelsException.requestFailed(target, e.getClass().getSimpleName());
    };
  }

  /**
   * Cancels running requests, including answers that are still being read; later ones are refused.
   */
  @Override
  public void close() {
    closed = true;
    activeCalls.forEach(Call::cancel);
    releaseConnections();
  }

  private synchronized void releaseConnections() {
    if (made != null) {
      made.dispatcher().executorService().shutdown();
      made.connectionPool().evictAll();
    }
  }
}
