package dev.caliber.app.serve;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.settings.ServerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber mcp}. */
@Command(
    name = "mcp",
    header = "Speak the Model Context Protocol on standard streams, for clients that start it.",
    description = {
      "A bridge to the server that holds the store. If there is none, it starts one, which ends by"
          + " itself when it has had no requests for a while; its log is server.log beside the"
          + " store. Any number of bridges share one server. Clients that speak HTTP need no"
          + " bridge: the server offers the same at /mcp.",
      "'caliber connect' writes the configuration of a client. If the server requires a key, it"
          + " comes from CALIBER_API_KEY."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber mcp --data ~/memory",
      "  caliber mcp --url https://memory.example.org",
    })
public final class McpCommand implements Callable<Integer> {
  private static final String KEY_VARIABLE = "CALIBER_API_KEY";

  private final CommandContext commandContext;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server's address, instead of the server that holds the store.")
  private Optional<URI> url = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "Limit the whole connection to one subject: it sees that subject's records and records"
              + " without a subject, and what it writes belongs to that subject.")
  private Optional<String> subject = Optional.empty();

  public McpCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerConfig.ServerLimits serverLimits = commandContext.configs().server().limits();
    try (HttpClient client = HttpClient.newHttpClient()) {
      new McpBridge(
              serverLocator(client),
              client,
              headers(),
              commandContext.terminal(),
              new McpBridge.McpBridgeLimits(
                  serverLimits.bodySize().bytes(), serverLimits.shutdownTimeout()))
          .run();
      client.shutdownNow(); // the client has ended: open answers are not needed
    }
    return ExitCode.OK.number();
  }

  private McpBridge.ServerLocator serverLocator(HttpClient client) {
    return url.<McpBridge.ServerLocator>map(named -> () -> named)
        .orElseGet(() -> new LocalServer(commandContext, client)::locate);
  }

  private Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>();
    commandContext
        .namedSpace()
        .map(SpaceId::toString)
        .ifPresent(s -> headers.put("Caliber-Space", s));
    subject.ifPresent(
        name -> headers.put("Caliber-Subject", CaliberClient.encodePathSegment(name)));
    Optional.ofNullable(commandContext.environment().environment().get(KEY_VARIABLE))
        .filter(key -> !key.isBlank())
        .ifPresent(key -> headers.put("Authorization", "Bearer " + key.strip()));
    return headers;
  }
}
