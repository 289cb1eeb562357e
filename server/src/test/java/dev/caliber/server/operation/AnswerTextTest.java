package dev.caliber.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.store.StoreErrorCode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Error messages for callers reveal nothing of the machine. */
class AnswerTextTest {
  @SuppressWarnings("serial") // never serialised
  private static final class Failed extends CaliberException {
    Failed(ErrorCode code, String message) {
      super(code, message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:postgresql://db.local:5432/caliber?user=a does not answer: timeout | The database does not answer: timeout
          Connection to 10.0.0.7:5432 refused. Check it. | Connection to a host refused. Check it.
          No disk space left for /var/lib/caliber/caliber.db; nothing was written | No disk space left for a file of the server; nothing was written
          Reading /srv/c/index/s1 failed: /srv/c/index/s1/x.bin is gone | Reading a file of the server failed: a file of the server is gone
          The database is busy (store.writes.queue) | The database is busy (store.writes.queue)
          """)
  @DisplayName("addresses of databases, hosts and files are not in the message of an answer")
  void placesAreLeftOut(String message, String told) {
    assertThat(PublicErrorText.publicMessage(new Failed(StoreErrorCode.UNREACHABLE, message)))
        .isEqualTo(told);
  }

  @Test
  @DisplayName("a caller's own content is returned as it was sent")
  void ownWordsStay() {
    CaliberException error = ServerException.unknownRoute("/api/v1/nothing/here");
    assertThat(PublicErrorText.publicMessage(error)).contains("/api/v1/nothing/here");
  }
}
