package dev.caliber.models;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import okhttp3.Response;

/** Response whose body is still to be read. */
public final class ResponseStream implements AutoCloseable {
  private final Response response;
  private final GuardedHttpClient from;
  private final GuardedHttpClient.HttpClientLimits httpClientLimits;
  private final Runnable ended;

  ResponseStream(
      Response response,
      GuardedHttpClient from,
      GuardedHttpClient.HttpClientLimits httpClientLimits,
      Runnable ended) {
    this.response = response;
    this.from = from;
    this.httpClientLimits = httpClientLimits;
    this.ended = ended;
  }

  /** Thrown when the body is longer than the limit. */
  @SuppressWarnings("serial") // never serialised
  static final class ResponseTooLongException extends IOException {
    ResponseTooLongException() {
      super("longer than allowed");
    }
  }

  public int status() {
    return response.code();
  }

  public HttpHeaders headers() {
    return HttpHeaders.of(response.headers().toMultimap(), (_, _) -> true);
  }

  /** Returns the pause that the server asks for, if it does. */
  public Optional<Duration> retryAfter(InstantSource clock) {
    return RetryAfterHeader.requestedPause(headers(), clock);
  }

  /** Returns the body as a stream; reading beyond the limit throws. */
  public InputStream body() {
    return new LimitedInputStream(
        response.body().byteStream(), httpClientLimits.responseLimit().bytes());
  }

  /** Returns the whole body. */
  public byte[] readAllBytes() {
    try {
      return body().readAllBytes();
    } catch (IOException e) {
      throw readFailure(e);
    }
  }

  /** Returns the error for a failure while the body was read. */
  public ModelsException readFailure(IOException e) {
    return from.requestFailure(e, httpClientLimits.callTimeout());
  }

  private static final class LimitedInputStream extends FilterInputStream {
    private long left;

    LimitedInputStream(InputStream in, long left) {
      super(in);
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      return countBytes(super.read(), 1);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      return countBytes(count, count);
    }

    private int countBytes(int found, int count) throws IOException {
      if (found >= 0) {
        left -= count;
      }
      if (left < 0) {
        throw new ResponseTooLongException();
      }
      return found;
    }
  }

  @Override
  public void close() {
    ended.run();
    response.close();
  }
}
