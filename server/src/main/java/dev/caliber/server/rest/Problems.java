package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.AnswerText;
import dev.caliber.server.operation.FailureText;
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

/** The one place where errors meet HTTP. */
final class Problems {
  static final String MEDIA_TYPE = "application/problem+json";

  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final String TYPE = "about:blank";

  private final long bodyLimit;
  private final Duration patience;

  Problems(long bodyLimit, Duration patience) {
    this.bodyLimit = bodyLimit;
    this.patience = patience;
  }

  /** Whatever was thrown becomes a problem; what nobody foresaw is logged and not told. */
  void answer(Throwable thrown, Context context) {
    CaliberException error = known(thrown, context);
    retryAfter(error).ifPresent(wait -> context.header("Retry-After", seconds(wait)));
    Optional<String> request = Optional.ofNullable(context.attribute(RequestId.HEADER));
    Problem problem = of(error, request);
    if (problem.status() == HttpStatus.UNAUTHORIZED.getCode()) {
      context.header("WWW-Authenticate", "Bearer");
    }
    log(problem, thrown, context);
    context.status(problem.status()).contentType(MEDIA_TYPE).result(Json.bytes(problem));
  }

  /** An error outside of every route: what there is no memory for is not tried again. */
  void giveUp(HttpServletResponse response, Error error) {
    LOG.error("A request outside of every route: {}", FailureText.of(error));
    Problem problem =
        of(
            error instanceof OutOfMemoryError
                ? ServerException.outOfMemory(patience)
                : ServerException.internal(),
            Optional.ofNullable(response.getHeader(RequestId.HEADER)));
    response.setStatus(problem.status());
    response.setContentType(MEDIA_TYPE);
    response.setHeader("Connection", "close");
    try {
      response.getOutputStream().write(Json.bytes(problem));
    } catch (IOException e) {
      LOG.debug("The client has left", e);
    }
  }

  /** The line that a caller is told of; an answer without memory is one, too. */
  private static void log(Problem problem, Throwable thrown, Context context) {
    if (problem.status() == HttpStatus.INTERNAL_SERVER_ERROR.getCode() || thrown instanceof Error) {
      Endpoint matched = context.endpoints().matchedHttpEndpoint();
      LOG.error(
          "{} {} {}, request {}: {}",
          problem.status(),
          context.method(),
          matched == null ? "without a route" : matched.path,
          problem.requestId().orElse("-"),
          FailureText.of(thrown));
    }
  }

  /**
   * The problem in OpenAI's shape, for clients that know no other. A stream that has begun stands
   * as it is: nothing of another kind is put behind it.
   */
  void answerAsOpenAi(Throwable thrown, Context context) {
    CaliberException error = known(thrown, context);
    if (!context.res().isCommitted()) {
      answer(thrown, context);
      context.contentType(MediaTypes.JSON).result(Json.bytes(ChatProxy.error(error)));
    }
  }

  static Problem of(CaliberException error) {
    return of(error, RequestId.current());
  }

  static Problem of(CaliberException error, Optional<String> request) {
    HttpStatus status = status(error.code());
    return new Problem(
        TYPE,
        status.getMessage(),
        status.getCode(),
        AnswerText.of(error),
        error.code().text(),
        pointer(error),
        error.advice(),
        parts(error),
        Optional.of(error.fields()).filter(fields -> !fields.isEmpty()),
        request);
  }

  private CaliberException known(Throwable thrown, Context context) {
    return switch (thrown) {
      case OutOfMemoryError _ -> ServerException.outOfMemory(patience);
      case CaliberException known -> known;
      case HttpResponseException http -> known(http, context);
      default -> known(thrown);
    };
  }

  /** What Jetty says while a body is read; anything else is of this server. */
  private static CaliberException known(Throwable thrown) {
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
    return ServerException.internal();
  }

  /** What Javalin itself refuses. */
  private CaliberException known(HttpResponseException thrown, Context context) {
    return switch (HttpStatus.forStatus(thrown.getStatus())) {
      case CONTENT_TOO_LARGE -> ServerException.bodyTooLarge(bodyLimit);
      case NOT_FOUND -> ServerException.unknownRoute(context.path());
      case METHOD_NOT_ALLOWED -> ServerException.methodNotAllowed(context.method().name());
      case BAD_REQUEST ->
          ServerException.invalidInput("", "Wanted a request of HTTP, found another");
      default -> ServerException.internal();
    };
  }

  static HttpStatus status(ErrorCode code) {
    if (code instanceof ServerErrorCode known) {
      Optional<HttpStatus> own = own(known);
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

  /** Those for which HTTP has a number of its own. */
  private static Optional<HttpStatus> own(ServerErrorCode code) {
    return switch (code) {
      case KEY_MISSING, KEY_REFUSED -> Optional.of(HttpStatus.UNAUTHORIZED);
      case BODY_TOO_SLOW -> Optional.of(HttpStatus.REQUEST_TIMEOUT);
      case BODY_TOO_LARGE -> Optional.of(HttpStatus.CONTENT_TOO_LARGE);
      case UNSUPPORTED_MEDIA_TYPE -> Optional.of(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
      case PRECONDITION_FAILED -> Optional.of(HttpStatus.PRECONDITION_FAILED);
      case METHOD_NOT_ALLOWED -> Optional.of(HttpStatus.METHOD_NOT_ALLOWED);
      case TOO_MANY_REQUESTS -> Optional.of(HttpStatus.TOO_MANY_REQUESTS);
      case HOST_REFUSED -> Optional.of(HttpStatus.MISDIRECTED_REQUEST);
      default -> Optional.empty();
    };
  }

  private Optional<Duration> retryAfter(CaliberException error) {
    return error
        .retryAfter()
        .or(() -> error.code().kind().retryable() ? Optional.of(patience) : Optional.empty());
  }

  /** Whole seconds, at least one. */
  private static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds()));
  }

  private static Optional<String> pointer(CaliberException error) {
    return error instanceof ServerException known ? known.pointer() : Optional.empty();
  }

  private static Optional<List<String>> parts(CaliberException error) {
    List<String> all =
        Stream.of(error.getSuppressed())
            .filter(CaliberException.class::isInstance)
            .map(part -> AnswerText.report((CaliberException) part))
            .toList();
    return Optional.of(all).filter(some -> !some.isEmpty());
  }
}
