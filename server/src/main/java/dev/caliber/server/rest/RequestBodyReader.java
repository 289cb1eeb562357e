package dev.caliber.server.rest;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A reader of bodies that refuses those that are too large or too slow. */
final class RequestBodyReader {
  private static final int CHUNK = 8192;

  private final InstantSource clock;
  private final long most;
  private final long slowest;

  RequestBodyReader(ServerConfig config, InstantSource clock) {
    this.clock = clock;
    this.most = config.limits().bodySize().bytes();
    this.slowest = config.network().minBodyRate().bytes();
  }

  byte[] read(Context context) {
    if (context.contentLength() > most) {
      throw ServerException.bodyTooLarge(most);
    }
    try (InputStream in = context.bodyInputStream()) {
      return read(in);
    } catch (IOException _) {
      throw ServerException.bodyIncomplete();
    }
  }

  byte[] read(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    Instant start = clock.instant();
    for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
      body.write(chunk, 0, length);
      checkSizeAndRate(body.size(), Duration.between(start, clock.instant()));
    }
    return body.toByteArray();
  }

  /** Checks size and rate; the rate applies after the first second. */
  private void checkSizeAndRate(long length, Duration time) {
    if (length > most) {
      throw ServerException.bodyTooLarge(most);
    }
    if (length < slowest * time.toSeconds()) {
      throw ServerException.bodyTooSlow();
    }
  }
}
