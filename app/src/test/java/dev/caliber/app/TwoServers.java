package dev.caliber.app;

import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Two processes of {@code caliber serve} on one PostgreSQL, of which one dies and comes back. */
@NullMarked
final class TwoServers implements AutoCloseable {
  static final int STEADY = 0;
  static final int MORTAL = 1;

  private static final int PLENTY = 1 << 30;

  private final Path directory;
  private final StoreConfig.Postgres place;
  private final String receivers;
  private final Semaphore answers = new Semaphore(0);
  private final List<Life> lives = new CopyOnWriteArrayList<>();
  private @Nullable Life steady;
  private @Nullable Life mortal;
  private volatile boolean over;

  /** One process from its start to its end, and the ways to talk to it. */
  record Life(ServerProcess process, Calls rest, Calls grpc) {}

  /**
   * @param receivers the host that webhooks may be sent to
   */
  TwoServers(Path directory, StoreConfig.Postgres place, String receivers) {
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

  /** Times are short, so that what the dead have left is soon somebody's. */
  private String settings(String starter) {
    String text = starter.replaceFirst("(?m)^engine = .*$", "engine = \"postgres\"");
    text = ServerProcess.set(text, "store.postgres", "url", quoted(place.url()));
    text = ServerProcess.set(text, "store.postgres", "user", "\"\"");
    text = ServerProcess.set(text, "store.postgres", "password-variable", "\"\"");
    text = ServerProcess.set(text, "store.postgres", "schema", quoted(place.schema()));
    text = ServerProcess.set(text, "store.jobs", "lease", "\"1s\"");
    text = ServerProcess.set(text, "store.jobs", "poll-interval", "\"100ms\"");
    text = ServerProcess.set(text, "store.jobs", "backoff", "\"10ms\"");
    text = ServerProcess.set(text, "agents.mail", "acknowledgement", "\"500ms\"");
    text = ServerProcess.set(text, "agents.tending", "interval", "\"50ms\"");
    text = ServerProcess.set(text, "server.answers", "pending", "\"1s\"");
    text = ServerProcess.set(text, "server.grpc", "port", "0");
    for (String hosts : new String[] {"hosts", "private-hosts", "plain-hosts"}) {
      text = ServerProcess.set(text, "server.webhooks", hosts, "[%s]".formatted(quoted(receivers)));
    }
    return text;
  }

  private static String quoted(String text) {
    return "\"%s\"".formatted(text);
  }

  /** As it is now, alive or dead. */
  synchronized Life life(int which) {
    Life life = which == STEADY ? steady : mortal;
    if (life == null) {
      throw new IllegalStateException("it was never started");
    }
    return life;
  }

  /** Waits for the one that comes after this one. */
  synchronized void awaitAfter(Life dead) throws InterruptedException {
    while (dead.equals(mortal) && !over) {
      wait();
    }
  }

  /** Somebody got an answer of the one that dies. */
  void answered(int which) {
    if (which == MORTAL) {
      answers.release();
    }
  }

  /** Until the one that dies has answered so often from now on. */
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

  /** Lets everybody go home. */
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
