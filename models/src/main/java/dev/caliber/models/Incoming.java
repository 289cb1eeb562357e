package dev.caliber.models;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import okhttp3.Response;

/** An answer whose body is still to be read. */
public final class Incoming implements AutoCloseable {
  private final Response response;
  private final Outbound from;
  private final Outbound.Limits limits;
  private final Runnable ended;

  Incoming(Response response, Outbound from, Outbound.Limits limits, Runnable ended) {
    this.response = response;
    this.from = from;
    this.limits = limits;
    this.ended = ended;
  }

  /** There was more of it than was allowed. */
  @SuppressWarnings("serial") // never serialised
  static final class TooLong extends IOException {
    TooLong() {
      super("longer than allowed");
    }
  }

  public int status() {
    return response.code();
  }

  public HttpHeaders headers() {
    return HttpHeaders.of(response.headers().toMultimap(), (_, _) -> true);
  }

  /** How long whoever was asked wants to be left alone, where it says so. */
  public Optional<Duration> retryAfter(InstantSource clock) {
    return RetryAfter.of(headers(), clock);
  }

  /** As it comes; more than the longest answer is an error while reading. */
  public InputStream body() {
    return new Limited(response.body().byteStream(), limits.answer().bytes());
  }

  /** All of it. */
  public byte[] bytes() {
    try {
      return body().readAllBytes();
    } catch (IOException e) {
      throw because(e);
    }
  }

  /** What went wrong while the body was read. */
  public ModelsException because(IOException e) {
    return from.because(e, limits.whole());
  }

  private static final class Limited extends FilterInputStream {
    private long left;

    Limited(InputStream in, long left) {
      super(in);
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      return counted(super.read(), 1);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      return counted(count, count);
    }

    private int counted(int found, int count) throws IOException {
      if (found >= 0) {
        left -= count;
      }
      if (left < 0) {
        throw new TooLong();
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
