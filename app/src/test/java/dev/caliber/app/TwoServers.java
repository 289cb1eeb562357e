package dev.caliber.app;

import dev.caliber.app.shell.ServerProcess;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Two {@code caliber serve} processes on one PostgreSQL; one is killed and restarted. */
@NullMarked
final class TwoServers implements AutoCloseable {
  static final int STEADY = 0;
  static final int MORTAL = 1;

  private static final int PLENTY = 1 << 30;

  private final Path directory;
  private final StoreConfig.PostgresSettings place;
  private final String receivers;
  private final Semaphore answers = new Semaphore(0);
  private final List<Life> lives = new CopyOnWriteArrayList<>();
  private @Nullable Life steady;
  private @Nullable Life mortal;
  private volatile boolean over;

  /** One process from its start to its end, and its clients. */
  record Life(ServerProcess process, Calls rest, Calls grpc) {}

  /**
   * @param receivers the host that webhooks may be sent to
   */
  TwoServers(Path directory, StoreConfig.PostgresSettings place, String receivers) {
    this.directory = directory;
    this.place = place;
    this.receivers = receivers;
  }

  void startSteady() throws IOException {
    Life life = start("steady");
    synchronized (this) {
      steady = life;
      notifyAll();
    }
  }

  void startMortal() throws IOException {
    Life life = start("mortal");
    synchronized (this) {
      mortal = life;
      notifyAll();
    }
  }

  private Life start(String name) throws IOException {
    ServerProcess process =
        ServerProcess.start(Files.createDirectories(directory.resolve(name)), this::settings);
    Life life =
        new Life(process, new RestCalls(process.address()), new GrpcCalls(process.grpcPort()));
    lives.add(life);
    return life;
  }

  /** Settings with short times, so that the leases of a killed server soon end. */
  private String settings(String starter) {
    String text = starter.replaceFirst("(?m)^engine = .*$", "engine = \"postgres\"");
    text = ServerProcess.set(text, "store.postgres", "url", quoted(place.url()));
    text = ServerProcess.set(text, "store.postgres", "user", "\"\"");
    text = ServerProcess.set(text, "store.postgres", "password-variable", "\"\"");
    text = ServerProcess.set(text, "store.postgres", "schema", quoted(place.schema()));
    text = ServerProcess.set(text, "store.jobs", "lease-duration", "\"1s\"");
    text = ServerProcess.set(text, "store.jobs", "poll-interval", "\"100ms\"");
    text = ServerProcess.set(text, "store.jobs", "backoff", "\"10ms\"");
    text = ServerProcess.set(text, "agents.messages", "acknowledgement-timeout", "\"500ms\"");
    text = ServerProcess.set(text, "agents.maintenance", "interval", "\"50ms\"");
    text = ServerProcess.set(text, "server.idempotency", "pending-timeout", "\"1s\"");
    text = ServerProcess.set(text, "server.grpc", "port", "0");
    for (String hosts : new String[] {"hosts", "private-hosts", "plaintext-hosts"}) {
      text = ServerProcess.set(text, "server.webhooks", hosts, "[%s]".formatted(quoted(receivers)));
    }
    return text;
  }

  private static String quoted(String text) {
    return "\"%s\"".formatted(text);
  }

  /** Returns the current process, alive or dead. */
  synchronized Life life(int which) {
    Life life = which == STEADY ? steady : mortal;
    if (life == null) {
      throw new IllegalStateException("it was never started");
    }
    return life;
  }

  /** Waits for the process that replaces this one. */
  synchronized void awaitAfter(Life dead) throws InterruptedException {
    while (dead.equals(mortal) && !over) {
      wait();
    }
  }

  /** Counts an answer of the server that is killed. */
  void answered(int which) {
    if (which == MORTAL) {
      answers.release();
    }
  }

  /** Waits until the server that is killed has given this many more answers. */
  void awaitAnswers(int number) throws InterruptedException {
    answers.drainPermits();
    answers.acquire(number);
  }

  void kill() throws InterruptedException {
    life(MORTAL).process().kill();
  }

  boolean isOver() {
    return over;
  }

  /** Ends the wait of every client. */
  synchronized void end() {
    if (!over) {
      over = true;
      notifyAll();
      answers.release(PLENTY);
    }
  }

  @Override
  public void close() {
    end();
    lives.forEach(life -> life.process().close());
    lives.forEach(life -> life.rest().close());
    lives.forEach(life -> life.grpc().close());
  }
}
