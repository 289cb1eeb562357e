package dev.caliber.app;

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
      "A bridge to the server that holds the store. If none does, it starts one, which ends by"
          + " itself when nobody has asked for a while; its log is server.log beside the store. Any"
          + " number of bridges share one server. Clients that speak HTTP need no bridge: the server"
          + " has the same at /mcp.",
      "'caliber connect' writes the configuration of a client. The key of a server that wants one"
          + " comes from CALIBER_KEY."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber mcp --data ~/memory",
      "  caliber mcp --url https://memory.example.org",
    })
final class McpCommand implements Callable<Integer> {
  private static final String KEY_VARIABLE = "CALIBER_KEY";

  private final Workbench workbench;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server, instead of the one that holds the store.")
  private Optional<URI> url = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "Limits the whole connection to one subject: it sees that subject's records and records"
              + " without a subject, and what it writes belongs to that subject.")
  private Optional<String> subject = Optional.empty();

  McpCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerConfig.Limits limits = workbench.rooms().server().limits();
    try (HttpClient client = HttpClient.newHttpClient()) {
      new McpBridge(
              server(client),
              client,
              headers(),
              workbench.terminal(),
              new McpBridge.Bounds(limits.body().bytes(), limits.stop()))
          .run();
      client.shutdownNow(); // nobody waits for what has no answer yet
    }
    return ExitCode.OK.number();
  }

  private McpBridge.Server server(HttpClient client) {
    return url.<McpBridge.Server>map(named -> () -> named)
        .orElseGet(() -> new LocalServer(workbench, client)::locate);
  }

  private Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>();
    workbench.namedSpace().map(SpaceId::toString).ifPresent(s -> headers.put("Caliber-Space", s));
    subject.ifPresent(name -> headers.put("Caliber-Subject", CaliberClient.encoded(name)));
    Optional.ofNullable(workbench.surroundings().environment().get(KEY_VARIABLE))
        .filter(key -> !key.isBlank())
        .ifPresent(key -> headers.put("Authorization", "Bearer " + key.strip()));
    return headers;
  }
}
