package dev.caliber.app.serve;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
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
    header = "Serve a store to agents of any language, until it is stopped.",
    description = {
      "REST under /api/v1 (the contract is at /openapi.yaml), the Model Context Protocol at /mcp,"
          + " OpenAI's API with memory at /v1, event streams, metrics and health. While the server"
          + " runs, commands such as 'caliber remember' call it.",
      "Listens on this machine's loopback address, where no key is needed. On any other address it"
          + " refuses to start without a key: see 'caliber keys create'. SIGTERM and Ctrl-C let"
          + " running requests finish; no data is lost."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber serve",
      "  caliber serve --port 8080 --data /var/lib/caliber",
      "  caliber serve --host 0.0.0.0      with keys, and server.allowed-hosts in the configuration",
    })
public final class ServeCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "The address to listen on, instead of server.host.")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port, instead of server.port; 0 takes a free one.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--grpc-port",
      paramLabel = "N",
      description = "Serve gRPC on this port, instead of server.grpc.port; 0 takes a free one.")
  private Optional<Integer> grpcPort = Optional.empty();

  @Option(names = "--no-tls", description = "Listen without TLS, whatever server.tls says.")
  private boolean noTls;

  @Option(
      names = "--idle-timeout",
      paramLabel = "DURATION",
      description = "Stop when there was no request for this time, as in 30m.")
  private Optional<String> idleExit = Optional.empty();

  public ServeCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record ServeOutput(String url, long pid, OptionalInt grpcPort) {}

  @Override
  public Integer call() throws IOException {
    new ServerRunner(
            commandContext.serverSetup(config()),
            idleExit.map(text -> Durations.parse("--idle-timeout", text)))
        .run(this::announce);
    return ExitCode.OK.number();
  }

  private ServerConfig config() {
    ServerConfig settings = commandContext.configs().server();
    ServerConfig wanted =
        settings
            .withAddress(
                host.orElse(settings.listening().host()), port.orElse(settings.listening().port()))
            .withGrpcPort(grpcPort.orElse(settings.grpc().port()));
    return noTls ? wanted.withoutTls() : wanted;
  }

  private void announce(CaliberServer server) {
    URI address = server.address();
    commandContext
        .output()
        .printResult(
            new ServeOutput(address.toString(), ProcessHandle.current().pid(), server.grpcPort()),
            "Caliber listens at %s%s. Ctrl-C stops it.".formatted(address, grpcText(server)));
    commandContext.terminal().out().flush();
  }

  private static String grpcText(CaliberServer server) {
    return server.grpcPort().isPresent()
        ? ", and for gRPC at port %d".formatted(server.grpcPort().getAsInt())
        : "";
  }
}
