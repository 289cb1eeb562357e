package dev.caliber.server.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * What lasts as long as a call: its beginning answers how it ends, or refuses the call. A call is
 * over when the server has closed it, whether or not its client has read that.
 */
record DuringCall(Supplier<Runnable> begin) implements ServerInterceptor {
  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Runnable end;
    try {
      end = once(begin.get());
    } catch (RuntimeException e) {
      return Refusals.refuse(call, e);
    }
    try {
      return ended(next.startCall(closing(call, end), headers), end);
    } catch (Throwable t) {
      end.run();
      throw t;
    }
  }

  private static Runnable once(Runnable end) {
    AtomicBoolean ended = new AtomicBoolean();
    return () -> {
      if (ended.compareAndSet(false, true)) {
        end.run();
      }
    };
  }

  private static <Q, A> ServerCall<Q, A> closing(ServerCall<Q, A> call, Runnable end) {
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void close(Status status, Metadata trailers) {
        end.run(); // first: who has read that a stream is over may ask for its place
        super.close(status, trailers);
      }
    };
  }

  private static <Q> ServerCall.Listener<Q> ended(ServerCall.Listener<Q> listener, Runnable end) {
    return new SimpleForwardingServerCallListener<>(listener) {
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
