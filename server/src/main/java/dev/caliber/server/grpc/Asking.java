package dev.caliber.server.grpc;

import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Principal;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Objects;
import java.util.Optional;

/**
 * What the metadata of a call says: who asks, where, and what else REST says by headers.
 *
 * @param again refuses a key that was good when the call began
 */
record Asking(
    Caller caller, Optional<String> idempotencyKey, Optional<Long> ifMatch, Runnable again) {
  private static final Context.Key<Asking> KEY = Context.key("caliber-asking");
  private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
  private static final Metadata.Key<String> SPACE = key(Admission.SPACE);
  private static final Metadata.Key<String> AGENT = key(Admission.AGENT);
  private static final Metadata.Key<String> SUBJECT = key(Admission.SUBJECT);
  private static final Metadata.Key<String> IDEMPOTENCY = key("idempotency-key");
  private static final Metadata.Key<String> IF_MATCH = key("if-match");

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  static Asking current() {
    return Objects.requireNonNull(KEY.get());
  }

  /** Lets a call in, or ends it with the reason. */
  static ServerInterceptor admitting(Admission admission) {
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try {
          Context context = Context.current().withValue(KEY, of(admission, headers));
          return Contexts.interceptCall(context, call, headers, next);
        } catch (RuntimeException e) {
          return Refusals.refuse(call, e);
        }
      }
    };
  }

  private static Asking of(Admission admission, Metadata headers) {
    Optional<String> key = Optional.ofNullable(headers.get(AUTHORIZATION));
    Caller caller =
        admission.admit(
            principal(admission, key, headers),
            new Admission.Named(
                Optional.ofNullable(headers.get(SPACE)),
                Optional.ofNullable(headers.get(AGENT)),
                Optional.ofNullable(headers.get(SUBJECT))));
    return new Asking(
        caller,
        Call.key(headers.get(IDEMPOTENCY)),
        Call.revision(headers.get(IF_MATCH)),
        () -> principal(admission, key, headers));
  }

  private static Principal principal(Admission admission, Optional<String> key, Metadata headers) {
    return admission.principal(key, headers.keys());
  }
}
