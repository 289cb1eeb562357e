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
 * Streams of answers, each on a thread of its own: none faster than its client reads, and none for
 * a client that has stopped reading.
 */
final class Pouring implements AutoCloseable {
  private final ServerConfig.Limits limits;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  Pouring(ServerConfig.Limits limits) {
    this.limits = limits;
  }

  /** What a stream says. */
  interface Source {
    void pour(Sink sink) throws InterruptedException;
  }

  /** Where it says so. */
  interface Sink {
    void send(DynamicMessage message) throws InterruptedException;

    boolean isOpen();
  }

  void start(StreamObserver<DynamicMessage> observer, Source source) {
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
                    .wrap(() -> RequestId.run(request, () -> pour(to, source, ready))));
    to.setOnCancelHandler(thread::interrupt);
    running.add(thread);
    thread.start();
  }

  private void pour(ServerCallStreamObserver<DynamicMessage> to, Source source, Semaphore ready) {
    try {
      source.pour(new Observed(to, ready));
      to.onCompleted();
    } catch (InterruptedException _) {
      if (!to.isCancelled()) {
        to.onCompleted(); // the server stops; a client goes on elsewhere
      }
    } catch (RuntimeException e) {
      if (!to.isCancelled()) {
        to.onError(Refusals.of("stream", e));
      }
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  private final class Observed implements Sink {
    private final ServerCallStreamObserver<DynamicMessage> to;
    private final Semaphore ready;

    Observed(ServerCallStreamObserver<DynamicMessage> to, Semaphore ready) {
      this.to = to;
      this.ready = ready;
    }

    @Override
    public void send(DynamicMessage message) throws InterruptedException {
      while (!to.isReady()) {
        if (!ready.tryAcquire(limits.idle().toNanos(), TimeUnit.NANOSECONDS)) {
          throw ServerException.overloaded("server.limits.idle", limits.patience());
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
