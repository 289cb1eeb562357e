package dev.caliber.server.rest;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.HttpStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler of refusals by Jetty before a request has a route: it answers with problem details,
 * like every other refusal, and closes the connection.
 */
final class JettyErrorHandler extends ErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(JettyErrorHandler.class);

  private final IdGenerator idGenerator;

  JettyErrorHandler(IdGenerator idGenerator) {
    this.idGenerator = idGenerator;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    HttpStatus status = HttpStatus.forStatus(response.getStatus());
    String id =
        Objects.requireNonNullElseGet(
            response.getHeaders().get(RequestId.HEADER), () -> idGenerator.next().toString());
    if (status.isServerError()
        && request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof Throwable failure) {
      LOG.error(
          "{} {}, request {}: {}",
          response.getStatus(),
          request.getMethod(),
          id,
          FailureText.describe(failure));
    }
    byte[] body = Json.bytes(problem(status, id));
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(RequestId.HEADER, id);
    writeHeaders(headers, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  private static void writeHeaders(HttpFields.Mutable headers, int length) {
    headers.put(HttpHeader.CONTENT_TYPE, HttpErrorHandler.MEDIA_TYPE);
    headers.put(HttpHeader.CONTENT_LENGTH, length);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put(HttpHeader.CONNECTION, "close");
  }

  private static ProblemDetails problem(HttpStatus status, String id) {
    return HttpErrorHandler.toProblemDetails(toException(status), Optional.of(id))
        .withStatus(status);
  }

  private static ServerException toException(HttpStatus status) {
    return switch (status) {
      case REQUEST_TIMEOUT -> ServerException.headTooSlow();
      case URI_TOO_LONG, REQUEST_HEADER_FIELDS_TOO_LARGE -> ServerException.headTooLarge();
      case METHOD_NOT_ALLOWED, NOT_IMPLEMENTED -> ServerException.methodUnknown();
      case UNSUPPORTED_MEDIA_TYPE -> ServerException.unsupportedMediaType(MediaTypes.JSON);
      default ->
          status.isServerError() && status != HttpStatus.HTTP_VERSION_NOT_SUPPORTED
              ? ServerException.internalError()
              : ServerException.invalidInput("", "The request is not valid HTTP/1.1");
    };
  }

  /** Returns the whole response to a request head that took too long. */
  static byte[] slowHeadResponse() {
    HttpStatus status = HttpStatus.REQUEST_TIMEOUT;
    String body =
        Json.text(
            HttpErrorHandler.toProblemDetails(ServerException.headTooSlow(), Optional.empty())
                .withStatus(status));
    return "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(
            status.getCode(), status.getMessage(), HttpErrorHandler.MEDIA_TYPE, body.length(), body)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
