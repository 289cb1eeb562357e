package dev.caliber.server.grpc;

import dev.caliber.server.access.Activity;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Says that somebody is being served, from the beginning of a call to its end. */
record Counting(Activity activity) implements ServerInterceptor {
  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    activity.begin();
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onComplete() {
        activity.end();
        super.onComplete();
      }

      @Override
      public void onCancel() {
        activity.end();
        super.onCancel();
      }
    };
  }
}
