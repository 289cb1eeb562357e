package dev.caliber.server.rest;

import dev.caliber.kernel.Ids;
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
 * What Jetty itself refuses, because it never becomes a request of a route: as problem details, as
 * every other refusal. Such a connection ends, and its answer says so.
 */
final class RefusedRequests extends ErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedRequests.class);

  private final Ids ids;

  RefusedRequests(Ids ids) {
    this.ids = ids;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    HttpStatus status = HttpStatus.forStatus(response.getStatus());
    String id =
        Objects.requireNonNullElseGet(
            response.getHeaders().get(RequestId.HEADER), () -> ids.next().toString());
    if (status.isServerError()
        && request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof Throwable failure) {
      LOG.error(
          "{} {}, request {}: {}",
          response.getStatus(),
          request.getMethod(),
          id,
          FailureText.of(failure));
    }
    byte[] body = Json.bytes(problem(status, id));
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(RequestId.HEADER, id);
    describe(headers, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  private static void describe(HttpFields.Mutable headers, int length) {
    headers.put(HttpHeader.CONTENT_TYPE, Problems.MEDIA_TYPE);
    headers.put(HttpHeader.CONTENT_LENGTH, length);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put(HttpHeader.CONNECTION, "close");
  }

  private static Problem problem(HttpStatus status, String id) {
    return Problems.of(refusal(status), Optional.of(id)).as(status);
  }

  private static ServerException refusal(HttpStatus status) {
    return switch (status) {
      case REQUEST_TIMEOUT -> ServerException.headTooSlow();
      case URI_TOO_LONG, REQUEST_HEADER_FIELDS_TOO_LARGE -> ServerException.headTooLarge();
      case METHOD_NOT_ALLOWED, NOT_IMPLEMENTED -> ServerException.methodUnknown();
      case UNSUPPORTED_MEDIA_TYPE -> ServerException.unsupportedMediaType(MediaTypes.JSON);
      default ->
          status.isServerError() && status != HttpStatus.HTTP_VERSION_NOT_SUPPORTED
              ? ServerException.internal()
              : ServerException.invalidInput("", "Wanted a request of HTTP/1.1, found another");
    };
  }

  /** The whole answer to a head that did not come in its time. */
  static byte[] headTooSlow() {
    HttpStatus status = HttpStatus.REQUEST_TIMEOUT;
    String body =
        Json.text(Problems.of(ServerException.headTooSlow(), Optional.empty()).as(status));
    return "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(status.getCode(), status.getMessage(), Problems.MEDIA_TYPE, body.length(), body)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
