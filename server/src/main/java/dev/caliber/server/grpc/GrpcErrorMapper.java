package dev.caliber.server.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.PublicErrorText;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerErrorCode;
import dev.caliber.server.operation.ServerException;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one mapping from errors to gRPC: a status by the error's kind, the code as the reason of an
 * {@code ErrorInfo}, and the code again as {@code caliber-code} for clients that read no details.
 */
final class GrpcErrorMapper {
  static final Metadata.Key<String> CODE =
      Metadata.Key.of("caliber-code", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> REQUEST =
      Metadata.Key.of(RequestId.HEADER, Metadata.ASCII_STRING_MARSHALLER);
  private static final Logger LOG = LoggerFactory.getLogger(GrpcErrorMapper.class);
  private static final String DOMAIN = "caliber";
  private static final java.time.Duration PAUSE_BOUND = java.time.Duration.ofSeconds(1);

  private GrpcErrorMapper() {}

  /** Maps an exception of a method; an unexpected one is logged and not shown to the client. */
  static StatusRuntimeException toStatusException(String method, Throwable thrown) {
    CaliberException error =
        switch (thrown) {
          case CaliberException known -> known;
          case OutOfMemoryError _ -> ServerException.outOfMemory(PAUSE_BOUND);
          default -> ServerException.internalError();
        };
    Optional<String> request = RequestId.current();
    if (error.code().kind() == ErrorKind.INTERNAL || thrown instanceof Error) {
      LOG.error(
          "gRPC {}, request {}: {}", method, request.orElse("-"), FailureText.describe(thrown));
    }
    ErrorInfo.Builder info =
        ErrorInfo.newBuilder().setReason(error.code().text()).setDomain(DOMAIN);
    info.putAllMetadata(error.fields());
    request.ifPresent(id -> info.putMetadata("request_id", id));
    pointer(error).ifPresent(place -> info.putMetadata("pointer", place));
    error.advice().ifPresent(advice -> info.putMetadata("advice", advice));
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(statusCode(error.code()).value())
            .setMessage(PublicErrorText.publicMessage(error))
            .addDetails(Any.pack(info.build()));
    error
        .retryAfter()
        .ifPresent(
            wait ->
                status.addDetails(
                    Any.pack(
                        RetryInfo.newBuilder()
                            .setRetryDelay(
                                Duration.newBuilder()
                                    .setSeconds(wait.getSeconds())
                                    .setNanos(wait.getNano()))
                            .build())));
    Metadata trailers = new Metadata();
    request.ifPresent(id -> trailers.put(REQUEST, id));
    trailers.put(CODE, error.code().text());
    return StatusProto.toStatusRuntimeException(status.build(), trailers);
  }

  /** Ends a call before it has begun. */
  static <Q> ServerCall.Listener<Q> closeWithError(ServerCall<Q, ?> call, RuntimeException thrown) {
    StatusRuntimeException refusal =
        toStatusException(call.getMethodDescriptor().getFullMethodName(), thrown);
    call.close(
        refusal.getStatus(), Objects.requireNonNullElseGet(refusal.getTrailers(), Metadata::new));
    return new ServerCall.Listener<>() {};
  }

  private static Optional<String> pointer(CaliberException error) {
    return error instanceof ServerException known ? known.pointer() : Optional.empty();
  }

  static Status.Code statusCode(ErrorCode code) {
    if (code instanceof ServerErrorCode known) {
      switch (known) {
        case API_KEY_MISSING, API_KEY_INVALID -> {
          return Status.Code.UNAUTHENTICATED;
        }
        case TOO_MANY_REQUESTS, BODY_TOO_LARGE, OUT_OF_MEMORY -> {
          return Status.Code.RESOURCE_EXHAUSTED;
        }
        default -> {}
      }
    }
    return switch (code.kind()) {
      case INVALID -> Status.Code.INVALID_ARGUMENT;
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case CONFLICT -> Status.Code.FAILED_PRECONDITION;
      case DENIED -> Status.Code.PERMISSION_DENIED;
      case LIMIT -> Status.Code.OUT_OF_RANGE;
      case UNAVAILABLE -> Status.Code.UNAVAILABLE;
      case INTERNAL -> Status.Code.INTERNAL;
    };
  }
}
