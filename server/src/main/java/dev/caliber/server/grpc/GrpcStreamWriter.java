package dev.caliber.server.grpc;

import com.google.protobuf.DynamicMessage;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A writer of answer streams, each on its own thread. A stream is no faster than its client reads,
 * and ends when the client stops reading.
 */
final class GrpcStreamWriter implements AutoCloseable {
  private final ServerConfig.ServerLimits serverLimits;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  GrpcStreamWriter(ServerConfig.ServerLimits serverLimits) {
    this.serverLimits = serverLimits;
  }

  /** The producer of a stream's messages. */
  interface StreamSource {
    void writeTo(StreamSink streamSink) throws InterruptedException;
  }

  /** The receiver of a stream's messages. */
  interface StreamSink {
    void send(DynamicMessage message) throws InterruptedException;

    boolean isOpen();
  }

  void startStream(StreamObserver<DynamicMessage> observer, StreamSource streamSource) {
    ServerCallStreamObserver<DynamicMessage> to =
        (ServerCallStreamObserver<DynamicMessage>) observer;
    Semaphore ready = new Semaphore(0);
    String request = RequestId.current().orElse("-");
    to.setOnReadyHandler(ready::release);
    Thread thread =
        Thread.ofVirtual()
            .name("caliber-grpc-stream")
            .unstarted(
                Context.current()
                    .wrap(
                        () ->
                            RequestId.runWith(
                                request, () -> writeStream(to, streamSource, ready))));
    to.setOnCancelHandler(thread::interrupt);
    running.add(thread);
    thread.start();
  }

  private void writeStream(
      ServerCallStreamObserver<DynamicMessage> to, StreamSource streamSource, Semaphore ready) {
    try {
      streamSource.writeTo(new BackpressuredSink(to, ready));
      to.onCompleted();
    } catch (InterruptedException _) {
      if (!to.isCancelled()) {
        to.onCompleted(); // the server stops; the client resumes at another server
      }
    } catch (RuntimeException e) {
      if (!to.isCancelled()) {
        to.onError(GrpcErrorMapper.toStatusException("stream", e));
      }
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  private final class BackpressuredSink implements StreamSink {
    private final ServerCallStreamObserver<DynamicMessage> to;
    private final Semaphore ready;

    BackpressuredSink(ServerCallStreamObserver<DynamicMessage> to, Semaphore ready) {
      this.to = to;
      this.ready = ready;
    }

    @Override
    public void send(DynamicMessage message) throws InterruptedException {
      while (!to.isReady()) {
        if (!ready.tryAcquire(serverLimits.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
          throw ServerException.overloaded(
              "server.limits.idle-timeout", serverLimits.queueTimeout());
        }
      }
      to.onNext(message);
    }

    @Override
    public boolean isOpen() {
      return !closing && !to.isCancelled();
    }
  }

  @Override
  public void close() {
    closing = true;
    running.forEach(Thread::interrupt);
  }
}
