package dev.caliber.server.grpc;

import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Principal;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationRequest;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Objects;
import java.util.Optional;

/**
 * The metadata of a call: the caller, and what REST sends in headers.
 *
 * @param keyRecheck refuses a key that was revoked after the call began
 */
record CallMetadata(
    Caller caller, Optional<String> idempotencyKey, Optional<Long> ifMatch, Runnable keyRecheck) {
  private static final Context.Key<CallMetadata> KEY = Context.key("caliber-asking");
  private static final Metadata.Key<String> AUTHORIZATION = metadataKey("authorization");
  private static final Metadata.Key<String> SPACE = metadataKey(Admission.SPACE);
  private static final Metadata.Key<String> AGENT = metadataKey(Admission.AGENT);
  private static final Metadata.Key<String> SUBJECT = metadataKey(Admission.SUBJECT);
  private static final Metadata.Key<String> IDEMPOTENCY = metadataKey("idempotency-key");
  private static final Metadata.Key<String> IF_MATCH = metadataKey("if-match");

  private static Metadata.Key<String> metadataKey(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  static CallMetadata current() {
    return Objects.requireNonNull(KEY.get());
  }

  /** Admits a call, or ends it with the reason. */
  static ServerInterceptor admissionInterceptor(Admission admission) {
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try {
          Context context = Context.current().withValue(KEY, of(admission, headers));
          return Contexts.interceptCall(context, call, headers, next);
        } catch (RuntimeException e) {
          return GrpcErrorMapper.closeWithError(call, e);
        }
      }
    };
  }

  private static CallMetadata of(Admission admission, Metadata headers) {
    Optional<String> key = Optional.ofNullable(headers.get(AUTHORIZATION));
    Caller caller =
        admission.admitCaller(
            authenticate(admission, key, headers),
            new Admission.RequestedIdentity(
                Optional.ofNullable(headers.get(SPACE)),
                Optional.ofNullable(headers.get(AGENT)),
                Optional.ofNullable(headers.get(SUBJECT))));
    return new CallMetadata(
        caller,
        OperationRequest.parseIdempotencyKey(headers.get(IDEMPOTENCY)),
        OperationRequest.parseIfMatch(headers.get(IF_MATCH)),
        () -> authenticate(admission, key, headers));
  }

  private static Principal authenticate(
      Admission admission, Optional<String> key, Metadata headers) {
    return admission.authenticate(key, headers.keys());
  }
}
