package dev.caliber.server.proxy;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.caliber.kernel.CaliberException;
import dev.caliber.server.operation.PublicErrorText;
import dev.caliber.server.operation.ServerException;
import java.util.Optional;

/** An error in OpenAI's JSON. */
record OpenAiError(OpenAiErrorBody error) {

  /**
   * The body of the error.
   *
   * @param param the place in the request, as a JSON pointer
   */
  @JsonInclude // clients expect all four
  record OpenAiErrorBody(
      String message, String type, Optional<String> param, Optional<String> code) {}

  static OpenAiError of(String message, String type) {
    return new OpenAiError(new OpenAiErrorBody(message, type, Optional.empty(), Optional.empty()));
  }

  static OpenAiError of(CaliberException e) {
    String advice = e.advice().map(text -> " " + text).orElse("");
    Optional<String> place =
        e instanceof ServerException known
            ? known.pointer().filter(found -> !found.isEmpty())
            : Optional.empty();
    return new OpenAiError(
        new OpenAiErrorBody(
            PublicErrorText.publicMessage(e) + "." + advice,
            errorType(e),
            place,
            Optional.of(e.code().text())));
  }

  private static String errorType(CaliberException e) {
    return switch (e.code().kind()) {
      case INVALID, NOT_FOUND, CONFLICT, LIMIT -> "invalid_request_error";
      case DENIED -> "authentication_error";
      case UNAVAILABLE, INTERNAL -> "server_error";
    };
  }
}
