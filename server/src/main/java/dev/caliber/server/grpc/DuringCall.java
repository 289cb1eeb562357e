package dev.caliber.server.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.function.Supplier;

/** What lasts as long as a call: its beginning answers how it ends, or refuses the call. */
record DuringCall(Supplier<Runnable> begin) implements ServerInterceptor {
  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Runnable end;
    try {
      end = begin.get();
    } catch (RuntimeException e) {
      return Refusals.refuse(call, e);
    }
    try {
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onComplete() {
          end.run();
          super.onComplete();
        }

        @Override
        public void onCancel() {
          end.run();
          super.onCancel();
        }
      };
    } catch (Throwable t) {
      end.run();
      throw t;
    }
  }

  /** The same for calls that may last, which are all but those with one answer to one message. */
  static ServerInterceptor ofStreams(ServerInterceptor other) {
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return call.getMethodDescriptor().getType() == MethodType.UNARY
            ? next.startCall(call, headers)
            : other.interceptCall(call, headers, next);
      }
    };
  }
}
