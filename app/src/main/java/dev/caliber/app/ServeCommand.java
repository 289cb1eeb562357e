package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.server.CaliberServer;
import dev.caliber.server.ServerFile;
import dev.caliber.server.Setup;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber serve}. */
@Command(
    name = "serve",
    header = "Serve a store to agents of any language, until it is told to stop.",
    description = {
      "REST under /api/v1 (the contract is at /openapi.yaml), the Model Context Protocol at /mcp,"
          + " OpenAI's API with memory at /v1, event streams, metrics and health."
          + " While it runs, 'caliber remember' and its like talk to it.",
      "Listens at this machine's own address, where no key is needed. At any other address it"
          + " refuses to start without one: see 'caliber keys create'. SIGTERM and Ctrl-C let"
          + " requests end and lose nothing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber serve",
      "  caliber serve --port 8080 --data /var/lib/caliber",
      "  caliber serve --host 0.0.0.0      with keys, and server.names in the configuration",
    })
final class ServeCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Where to listen, instead of server.host.")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port, instead of server.port; 0 takes a free one.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--grpc-port",
      paramLabel = "N",
      description = "Serves gRPC at this port, instead of server.grpc.port; 0 takes a free one.")
  private Optional<Integer> grpcPort = Optional.empty();

  @Option(
      names = "--idle-exit",
      paramLabel = "DURATION",
      description = "Ends when nobody has asked for anything for so long, as in 30m.")
  private Optional<String> idleExit = Optional.empty();

  ServeCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Listening(String url, long pid, OptionalInt grpcPort) {}

  @Override
  public Integer call() throws IOException {
    ServerConfig config = workbench.rooms().server();
    Setup setup =
        workbench.serverSetup(
            config
                .listeningAt(
                    host.orElse(config.listening().host()), port.orElse(config.listening().port()))
                .withGrpcAt(grpcPort.orElse(config.grpc().port())));
    try (CaliberServer server = CaliberServer.start(setup)) {
      Optional<Path> directory = directory(setup.store());
      if (directory.isPresent()) {
        try (ServerFile _ = ServerFile.write(directory.get(), server.address())) {
          serve(server);
        }
      } else {
        serve(server);
      }
    }
    return ExitCode.OK.number();
  }

  /** Beside the data of an embedded store; others find a shared one by themselves. */
  private static Optional<Path> directory(StoreConfig config) {
    return config.engine() instanceof StoreConfig.Sqlite sqlite
        ? Optional.of(sqlite.directory())
        : Optional.empty();
  }

  private void serve(CaliberServer server) {
    URI address = server.address();
    workbench
        .output()
        .result(
            new Listening(address.toString(), ProcessHandle.current().pid(), server.grpcPort()),
            "Caliber listens at %s%s. Ctrl-C stops it.".formatted(address, grpc(server)));
    workbench.terminal().out().flush();
    try {
      await(server);
    } catch (InterruptedException _) {
      return; // somebody wants it to stop; what is closed next must not be interrupted again
    }
  }

  private static String grpc(CaliberServer server) {
    return server.grpcPort().isPresent()
        ? ", and for gRPC at port %d".formatted(server.grpcPort().getAsInt())
        : "";
  }

  /** Until somebody interrupts it, or nobody has asked for long enough. */
  private void await(CaliberServer server) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    if (idleExit.isEmpty()) {
      never.await();
      return;
    }
    Duration limit = Durations.parse(idleExit.get());
    for (Duration left = limit; left.isPositive(); left = limit.minus(server.idle())) {
      boolean _ = never.await(left.toMillis() + 1, TimeUnit.MILLISECONDS);
    }
  }
}
