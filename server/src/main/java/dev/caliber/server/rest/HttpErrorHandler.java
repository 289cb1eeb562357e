package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.PublicErrorText;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerErrorCode;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.proxy.ChatProxy;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.router.Endpoint;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one mapping from errors to HTTP. */
final class HttpErrorHandler {
  static final String MEDIA_TYPE = "application/problem+json";

  private static final Logger LOG = LoggerFactory.getLogger(HttpErrorHandler.class);
  private static final String TYPE = "about:blank";

  private final long bodyLimit;
  private final Duration patience;

  HttpErrorHandler(long bodyLimit, Duration patience) {
    this.bodyLimit = bodyLimit;
    this.patience = patience;
  }

  /**
   * Answers any exception with a problem; an unexpected one is logged and not shown to the client.
   */
  void answerError(Throwable thrown, Context context) {
    CaliberException error = toCaliberException(thrown, context);
    retryAfter(error).ifPresent(wait -> context.header("Retry-After", wholeSeconds(wait)));
    Optional<String> request = Optional.ofNullable(context.attribute(RequestId.HEADER));
    ProblemDetails problemDetails = toProblemDetails(error, request);
    if (problemDetails.status() == HttpStatus.UNAUTHORIZED.getCode()) {
      context.header("WWW-Authenticate", "Bearer");
    }
    logError(problemDetails, thrown, context);
    context
        .status(problemDetails.status())
        .contentType(MEDIA_TYPE)
        .result(Json.bytes(problemDetails));
  }

  /**
   * Answers an error outside of every route; an answer that ran out of memory is not tried again.
   */
  void answerFatalError(HttpServletResponse response, Error error) {
    LOG.error(
        "A request failed before it reached an operation. Cause: {}", FailureText.describe(error));
    ProblemDetails problemDetails =
        toProblemDetails(
            error instanceof OutOfMemoryError
                ? ServerException.outOfMemory(patience)
                : ServerException.internalError(),
            Optional.ofNullable(response.getHeader(RequestId.HEADER)));
    response.setStatus(problemDetails.status());
    response.setContentType(MEDIA_TYPE);
    response.setHeader("Connection", "close");
    try {
      response.getOutputStream().write(Json.bytes(problemDetails));
    } catch (IOException e) {
      LOG.debug("The client has left", e);
    }
  }

  /** Logs the error under the request id of the answer, even if memory for it is lacking. */
  private static void logError(ProblemDetails problemDetails, Throwable thrown, Context context) {
    if (problemDetails.status() == HttpStatus.INTERNAL_SERVER_ERROR.getCode()
        || thrown instanceof Error) {
      Endpoint matched = context.endpoints().matchedHttpEndpoint();
      LOG.error(
          "{} {} {}, request {}: {}",
          problemDetails.status(),
          context.method(),
          matched == null ? "without a route" : matched.path,
          problemDetails.requestId().orElse("-"),
          FailureText.describe(thrown));
    }
  }

  /** Answers with the problem in OpenAI's JSON; a stream that has begun is left as it is. */
  void answerAsOpenAi(Throwable thrown, Context context) {
    CaliberException error = toCaliberException(thrown, context);
    if (!context.res().isCommitted()) {
      answerError(thrown, context);
      context.contentType(MediaTypes.JSON).result(Json.bytes(ChatProxy.toOpenAiError(error)));
    }
  }

  static ProblemDetails toProblemDetails(CaliberException error) {
    return toProblemDetails(error, RequestId.current());
  }

  static ProblemDetails toProblemDetails(CaliberException error, Optional<String> request) {
    HttpStatus status = httpStatus(error.code());
    return new ProblemDetails(
        TYPE,
        status.getMessage(),
        status.getCode(),
        PublicErrorText.publicMessage(error),
        error.code().text(),
        pointer(error),
        error.advice(),
        suppressedErrors(error),
        Optional.of(error.fields()).filter(fields -> !fields.isEmpty()),
        request);
  }

  private CaliberException toCaliberException(Throwable thrown, Context context) {
    return switch (thrown) {
      case OutOfMemoryError _ -> ServerException.outOfMemory(patience);
      case CaliberException known -> known;
      case HttpResponseException http -> toCaliberException(http, context);
      default -> toCaliberException(thrown);
    };
  }

  /** Converts a failure of Jetty while a body is read; others are the server's own. */
  private static CaliberException toCaliberException(Throwable thrown) {
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      if (one instanceof HttpException http) {
        return http.getCode() == HttpStatus.REQUEST_TIMEOUT.getCode()
            ? ServerException.bodyTooSlow()
            : ServerException.bodyIncomplete();
      }
      if (one instanceof EofException || one instanceof TimeoutException) {
        return ServerException.bodyIncomplete();
      }
    }
    return ServerException.internalError();
  }

  /** Converts a refusal of Javalin. */
  private CaliberException toCaliberException(HttpResponseException thrown, Context context) {
    return switch (HttpStatus.forStatus(thrown.getStatus())) {
      case CONTENT_TOO_LARGE -> ServerException.bodyTooLarge(bodyLimit);
      case NOT_FOUND -> ServerException.unknownRoute(context.path());
      case METHOD_NOT_ALLOWED -> ServerException.methodNotAllowed(context.method().name());
      case BAD_REQUEST -> ServerException.invalidInput("", "The request is not valid HTTP");
      default -> ServerException.internalError();
    };
  }

  static HttpStatus httpStatus(ErrorCode code) {
    if (code instanceof ServerErrorCode known) {
      Optional<HttpStatus> own = specificStatus(known);
      if (own.isPresent()) {
        return own.get();
      }
    }
    return switch (code.kind()) {
      case INVALID -> HttpStatus.BAD_REQUEST;
      case NOT_FOUND -> HttpStatus.NOT_FOUND;
      case CONFLICT -> HttpStatus.CONFLICT;
      case DENIED -> HttpStatus.FORBIDDEN;
      case LIMIT -> HttpStatus.UNPROCESSABLE_CONTENT;
      case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
      case INTERNAL -> HttpStatus.INTERNAL_SERVER_ERROR;
    };
  }

  /** Returns the status of errors for which HTTP has a specific one. */
  private static Optional<HttpStatus> specificStatus(ServerErrorCode code) {
    return switch (code) {
      case API_KEY_MISSING, API_KEY_INVALID -> Optional.of(HttpStatus.UNAUTHORIZED);
      case BODY_TOO_SLOW -> Optional.of(HttpStatus.REQUEST_TIMEOUT);
      case BODY_TOO_LARGE -> Optional.of(HttpStatus.CONTENT_TOO_LARGE);
      case UNSUPPORTED_MEDIA_TYPE -> Optional.of(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
      case PRECONDITION_FAILED -> Optional.of(HttpStatus.PRECONDITION_FAILED);
      case METHOD_NOT_ALLOWED -> Optional.of(HttpStatus.METHOD_NOT_ALLOWED);
      case TOO_MANY_REQUESTS -> Optional.of(HttpStatus.TOO_MANY_REQUESTS);
      case HOST_NOT_ALLOWED -> Optional.of(HttpStatus.MISDIRECTED_REQUEST);
      default -> Optional.empty();
    };
  }

  private Optional<Duration> retryAfter(CaliberException error) {
    return error
        .retryAfter()
        .or(() -> error.code().kind().isRetryable() ? Optional.of(patience) : Optional.empty());
  }

  /** Rounds up to whole seconds, at least one. */
  private static String wholeSeconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds()));
  }

  private static Optional<String> pointer(CaliberException error) {
    return error instanceof ServerException known ? known.pointer() : Optional.empty();
  }

  private static Optional<List<String>> suppressedErrors(CaliberException error) {
    List<String> all =
        Stream.of(error.getSuppressed())
            .filter(CaliberException.class::isInstance)
            .map(part -> PublicErrorText.codeAndMessage((CaliberException) part))
            .toList();
    return Optional.of(all).filter(some -> !some.isEmpty());
  }
}
