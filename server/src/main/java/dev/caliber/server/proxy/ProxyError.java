package dev.caliber.server.proxy;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.caliber.kernel.CaliberException;
import dev.caliber.server.operation.AnswerText;
import dev.caliber.server.operation.ServerException;
import java.util.Optional;

/** An error in OpenAI's shape. */
record ProxyError(Shown error) {

  /**
   * What a client shows.
   *
   * @param param the place in the request, as a JSON pointer
   */
  @JsonInclude // clients expect all four
  record Shown(String message, String type, Optional<String> param, Optional<String> code) {}

  static ProxyError of(String message, String type) {
    return new ProxyError(new Shown(message, type, Optional.empty(), Optional.empty()));
  }

  static ProxyError of(CaliberException e) {
    String advice = e.advice().map(text -> " " + text).orElse("");
    Optional<String> place =
        e instanceof ServerException known
            ? known.pointer().filter(found -> !found.isEmpty())
            : Optional.empty();
    return new ProxyError(
        new Shown(AnswerText.of(e) + "." + advice, type(e), place, Optional.of(e.code().text())));
  }

  private static String type(CaliberException e) {
    return switch (e.code().kind()) {
      case INVALID, NOT_FOUND, CONFLICT, LIMIT -> "invalid_request_error";
      case DENIED -> "authentication_error";
      case UNAVAILABLE, INTERNAL -> "server_error";
    };
  }
}
