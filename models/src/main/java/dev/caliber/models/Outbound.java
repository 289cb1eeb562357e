package dev.caliber.models;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.DataSize;
import dev.caliber.models.ModelsConfig.Egress;
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
 * Requests that leave this process, through the guard. Redirects are not followed, no proxy is
 * asked, nothing is sent twice, and an answer has a longest size and a longest time, the last byte
 * included. The addresses of a name are looked up once for a connection, checked, and connected to.
 */
public final class Outbound implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String RETRY_AFTER = "Retry-After";

  private final String to;
  private final EgressGuard guard;
  private final Limits limits;
  private final Set<Call> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  @GuardedBy("this")
  private @Nullable OkHttpClient made;

  Outbound(String to, EgressGuard guard, Limits limits) {
    this.to = to;
    this.guard = guard;
    this.limits = limits;
  }

  /** Made for the first request: it reads what this machine trusts, which takes its time. */
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
              .addNetworkInterceptor(chain -> notAgain(chain.proceed(chain.request())))
              .connectTimeout(limits.connect())
              .readTimeout(limits.silence())
              .writeTimeout(limits.silence())
              .build();
      made = client;
    }
    return client;
  }

  /** OkHttp sends a request again when a server is busy and wishes for no pause. */
  private static Response notAgain(Response answer) {
    String pause = answer.header(RETRY_AFTER, "");
    return pause != null && pause.matches("0+")
        ? answer.newBuilder().removeHeader(RETRY_AFTER).build()
        : answer;
  }

  /**
   * How long and how much.
   *
   * @param silence how long nothing may come
   * @param whole how long all of it may take
   * @param answer the longest answer
   * @param section where settings say so, for messages
   */
  public record Limits(
      Duration connect, Duration silence, Duration whole, DataSize answer, String section) {
    Limits within(Duration other) {
      return new Limits(connect, silence, other, answer, section);
    }
  }

  /** Where no other host can be asked than these rules list. */
  public static Outbound of(String to, Egress rules, Limits limits) {
    return new Outbound(to, EgressGuard.of(rules), limits);
  }

  /** Refuses what no request may go to, as far as that can be said without one. */
  public void check(URI address) {
    guard.check(address);
  }

  /** Posts JSON; whoever calls closes the answer. */
  public Incoming post(URI address, Map<String, String> headers, byte[] json) {
    return post(address, headers, json, limits.whole());
  }

  Incoming post(URI address, Map<String, String> headers, byte[] json, Duration whole) {
    return send(
        request(address, headers).post(RequestBody.create(json, MediaType.get(JSON))), whole);
  }

  /** Asks for something; whoever calls closes the answer. */
  public Incoming get(URI address, Map<String, String> headers) {
    return send(request(address, headers).get(), limits.whole());
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
          Objects.requireNonNullElse(address.getHost(), ""), "the address is none of HTTP");
    }
  }

  private Incoming send(Request.Builder builder, Duration whole) {
    Request request = builder.build();
    guard.check(request.url().scheme(), request.url().host());
    Call call = client().newCall(request);
    call.timeout().timeout(whole.toNanos(), TimeUnit.NANOSECONDS);
    underWay.add(call);
    if (closed) {
      call.cancel();
    }
    try {
      return new Incoming(call.execute(), this, limits.within(whole), () -> underWay.remove(call));
    } catch (IOException e) {
      underWay.remove(call);
      throw because(e, whole);
    }
  }

  /** Looked up for each new connection; OkHttp connects to nothing else. */
  private List<InetAddress> addresses(String host) throws UnknownHostException {
    try {
      return guard.addresses(host);
    } catch (ModelsException e) {
      UnknownHostException refused = new UnknownHostException(host);
      refused.initCause(e);
      throw refused;
    }
  }

  /* Only the type of the cause is told: messages of the client may hold parts of what was sent. */
  ModelsException because(IOException e, Duration whole) {
    return switch (e) {
      case UnknownHostException unknown when unknown.getCause() instanceof ModelsException known ->
          known;
      case UnknownHostException _ -> ModelsException.requestFailed(to, "its name has no address");
      case Incoming.TooLong _ ->
          ModelsException.invalidResponse(
              to,
              "it is longer than %s.answer-limit %s".formatted(limits.section(), limits.answer()));
      case InterruptedIOException _ when Thread.currentThread().isInterrupted() ->
          ModelsException.interrupted();
      case InterruptedIOException late when late.getClass() == InterruptedIOException.class ->
          ModelsException.requestFailed(to, "no whole answer within " + whole);
      default -> ModelsException.requestFailed(to, e.getClass().getSimpleName());
    };
  }

  /** Ends what is under way, answers that are still read included; nothing is sent any more. */
  @Override
  public void close() {
    closed = true;
    underWay.forEach(Call::cancel);
    letGo();
  }

  private synchronized void letGo() {
    if (made != null) {
      made.dispatcher().executorService().shutdown();
      made.connectionPool().evictAll();
    }
  }
}
