package dev.caliber.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.server.operation.ServerErrorCode;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.testkit.ManualClock;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The limits on the size and the rate of a body. */
class BodiesTest {
  private final ManualClock clock = new ManualClock();
  private final RequestBodyReader requestBodyReader =
      new RequestBodyReader(ServerConfig.starter(), clock);

  /** Returns a stream with one byte at a time and this pause between them. */
  private InputStream dripping(int length, Duration pause) {
    return new InputStream() {
      private int sent;

      @Override
      public int read() {
        return -1;
      }

      @Override
      public int read(byte[] to, int from, int most) {
        if (sent == length) {
          return -1;
        }
        clock.advance(pause);
        to[from] = (byte) ('a' + sent++ % 26);
        return 1;
      }
    };
  }

  @Test
  @DisplayName("ERR-08: a body that comes too slowly is refused, one in its time is not")
  void slowBodiesAreRefused() throws IOException {
    assertThat(requestBodyReader.read(dripping(300, Duration.ofMillis(1)))).hasSize(300);
    assertThatThrownBy(() -> requestBodyReader.read(dripping(300, Duration.ofMillis(100))))
        .isInstanceOfSatisfying(
            ServerException.class,
            e -> assertThat(e.code()).isEqualTo(ServerErrorCode.BODY_TOO_SLOW));
    assertThat(HttpErrorHandler.httpStatus(ServerErrorCode.BODY_TOO_SLOW).getCode()).isEqualTo(408);
  }
}
