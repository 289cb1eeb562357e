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
 * An interceptor for resources that a call holds: {@code begin} acquires one and returns its
 * release, or refuses the call. A call ends when the server has closed it, whether or not the
 * client has read the end.
 */
record CallLifetimeInterceptor(Supplier<Runnable> begin) implements ServerInterceptor {
  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Runnable end;
    try {
      end = runOnce(begin.get());
    } catch (RuntimeException e) {
      return GrpcErrorMapper.closeWithError(call, e);
    }
    try {
      return endingOnCompletion(next.startCall(endingOnClose(call, end), headers), end);
    } catch (Throwable t) {
      end.run();
      throw t;
    }
  }

  private static Runnable runOnce(Runnable end) {
    AtomicBoolean ended = new AtomicBoolean();
    return () -> {
      if (ended.compareAndSet(false, true)) {
        end.run();
      }
    };
  }

  private static <Q, A> ServerCall<Q, A> endingOnClose(ServerCall<Q, A> call, Runnable end) {
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void close(Status status, Metadata trailers) {
        end.run(); // before the close: a client that has read the end may ask for the place at once
        super.close(status, trailers);
      }
    };
  }

  private static <Q> ServerCall.Listener<Q> endingOnCompletion(
      ServerCall.Listener<Q> listener, Runnable end) {
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

  /** Applies another interceptor only to streaming calls. */
  static ServerInterceptor forStreamsOnly(ServerInterceptor other) {
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
