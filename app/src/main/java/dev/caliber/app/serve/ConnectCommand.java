package dev.caliber.app.serve;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.AtomicFileWriter;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.kernel.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber connect}. */
@Command(
    name = "connect",
    header = "Connect an editor or agent to this memory, by writing its configuration.",
    description = {
      "Writes the client's project file in this directory: .mcp.json for claude-code,"
          + " .cursor/mcp.json for cursor, .vscode/mcp.json for vscode. Other servers in it are"
          + " preserved. The client then starts 'caliber mcp' by itself."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber connect claude-code --dry-run     show the file, write nothing",
      "  caliber connect cursor --data ~/memory    one memory for many projects",
    })
public final class ConnectCommand implements Callable<Integer> {
  private static final String NAME = "caliber";

  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "CLIENT",
      description = "The client: claude-code, cursor or vscode.",
      converter = McpClientConverter.class)
  private @Nullable McpClient mcpClient;

  @Option(names = "--dry-run", description = "Show the new file without writing it.")
  private boolean dryRun;

  public ConnectCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** Clients and the files in which they keep their MCP servers. */
  enum McpClient {
    CLAUDE_CODE("claude-code", ".mcp.json", "mcpServers"),
    CURSOR("cursor", ".cursor/mcp.json", "mcpServers"),
    VSCODE("vscode", ".vscode/mcp.json", "servers");

    private final String word;
    private final String file;
    private final String section;

    McpClient(String word, String file, String section) {
      this.word = word;
      this.file = file;
      this.section = section;
    }
  }

  /** Converts the name of a client. */
  static final class McpClientConverter implements picocli.CommandLine.ITypeConverter<McpClient> {
    @Override
    public McpClient convert(String word) {
      for (McpClient mcpClient : McpClient.values()) {
        if (mcpClient.word.equalsIgnoreCase(word)) {
          return mcpClient;
        }
      }
      throw new picocli.CommandLine.TypeConversionException(
          "expected claude-code, cursor or vscode, found '%s'".formatted(word));
    }
  }

  private record ConnectOutput(String file, boolean written, JsonNode content) {}

  @Override
  public Integer call() throws IOException {
    McpClient chosen = Objects.requireNonNull(mcpClient);
    Path file = commandContext.resolve(Path.of(chosen.file));
    ObjectNode content = Files.exists(file) ? readConfig(file) : Json.mapper().createObjectNode();
    serversSection(content, file, chosen).set(NAME, serverEntry());
    String text = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(content) + "\n";
    if (!dryRun) {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      AtomicFileWriter.createOrReplace(file, text);
    }
    commandContext
        .output()
        .printResult(
            new ConnectOutput(file.toString(), !dryRun, content),
            dryRun
                ? "New content of %s:\n%s".formatted(file, text.stripTrailing())
                : "Wrote %s. Start %s in this directory to use this memory."
                    .formatted(file, chosen.word));
    return ExitCode.OK.number();
  }

  private static ObjectNode readConfig(Path file) throws IOException {
    try {
      if (Json.mapper().readTree(Files.readAllBytes(file)) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException _) {
      throw AppException.unreadable(file, "it is not plain JSON; it was not changed");
    }
    throw AppException.unreadable(file, "it is not a JSON object; it was not changed");
  }

  private static ObjectNode serversSection(ObjectNode content, Path file, McpClient mcpClient) {
    JsonNode section = content.path(mcpClient.section);
    if (section.isMissingNode()) {
      return content.putObject(mcpClient.section);
    }
    if (section instanceof ObjectNode servers) {
      return servers;
    }
    throw AppException.unreadable(file, "'%s' in it is not an object".formatted(mcpClient.section));
  }

  private ObjectNode serverEntry() {
    ObjectNode entry = Json.mapper().createObjectNode().put("type", "stdio");
    List<String> program = launchCommand();
    entry.put("command", program.getFirst());
    List<String> arguments = new ArrayList<>(program.subList(1, program.size()));
    arguments.add("mcp");
    commandContext
        .namedConfig()
        .ifPresent(file -> arguments.addAll(List.of("--config", file.toString())));
    commandContext
        .namedData()
        .ifPresent(data -> arguments.addAll(List.of("--data", data.toString())));
    commandContext
        .namedSpace()
        .ifPresent(space -> arguments.addAll(List.of("--space", space.toString())));
    arguments.forEach(entry.putArray("args")::add);
    return entry;
  }

  /** Returns the command that starts this program: launcher, jar, or the PATH's caliber. */
  private static List<String> launchCommand() {
    String launcher = System.getProperty("caliber.command", "");
    if (!launcher.isEmpty()) {
      return List.of(launcher);
    }
    String jar = System.getProperty("java.class.path", "");
    return jar.endsWith(".jar") && !jar.contains(File.pathSeparator)
        ? List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            Path.of(jar).toAbsolutePath().normalize().toString())
        : List.of(NAME);
  }
}
