package dev.caliber.app;

import dev.caliber.kernel.Durations;
import dev.caliber.server.CaliberServer;
import dev.caliber.server.settings.ServerConfig;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
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

  @Option(names = "--no-tls", description = "Listens in the clear, whatever server.tls says.")
  private boolean noTls;

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
    new Serving(
            workbench.serverSetup(config()),
            idleExit.map(text -> Durations.parse("--idle-exit", text)))
        .run(this::announce);
    return ExitCode.OK.number();
  }

  private ServerConfig config() {
    ServerConfig settings = workbench.rooms().server();
    ServerConfig wanted =
        settings
            .listeningAt(
                host.orElse(settings.listening().host()), port.orElse(settings.listening().port()))
            .withGrpcAt(grpcPort.orElse(settings.grpc().port()));
    return noTls ? wanted.inTheClear() : wanted;
  }

  private void announce(CaliberServer server) {
    URI address = server.address();
    workbench
        .output()
        .result(
            new Listening(address.toString(), ProcessHandle.current().pid(), server.grpcPort()),
            "Caliber listens at %s%s. Ctrl-C stops it.".formatted(address, grpc(server)));
    workbench.terminal().out().flush();
  }

  private static String grpc(CaliberServer server) {
    return server.grpcPort().isPresent()
        ? ", and for gRPC at port %d".formatted(server.grpcPort().getAsInt())
        : "";
  }
}
