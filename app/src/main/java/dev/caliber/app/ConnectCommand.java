package dev.caliber.app;

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
    header = "Give an agent's editor or shell this memory, by writing its configuration.",
    description = {
      "Writes the project's file of the client in this directory: .mcp.json for claude-code,"
          + " .cursor/mcp.json for cursor, .vscode/mcp.json for vscode. Other servers in it stay as"
          + " they are. The client then starts 'caliber mcp' by itself."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber connect claude-code --dry-run     show the file, write nothing",
      "  caliber connect cursor --data ~/memory    one memory for many projects",
    })
final class ConnectCommand implements Callable<Integer> {
  private static final String NAME = "caliber";

  private final Workbench workbench;

  @Parameters(
      paramLabel = "CLIENT",
      description = "claude-code, cursor or vscode.",
      converter = ClientName.class)
  private @Nullable Client client;

  @Option(names = "--dry-run", description = "Show what the file would be, and write nothing.")
  private boolean dryRun;

  ConnectCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  /** Where each keeps its servers. */
  enum Client {
    CLAUDE_CODE("claude-code", ".mcp.json", "mcpServers"),
    CURSOR("cursor", ".cursor/mcp.json", "mcpServers"),
    VSCODE("vscode", ".vscode/mcp.json", "servers");

    private final String word;
    private final String file;
    private final String section;

    Client(String word, String file, String section) {
      this.word = word;
      this.file = file;
      this.section = section;
    }
  }

  /** Clients by the word that people use. */
  static final class ClientName implements picocli.CommandLine.ITypeConverter<Client> {
    @Override
    public Client convert(String word) {
      for (Client client : Client.values()) {
        if (client.word.equalsIgnoreCase(word)) {
          return client;
        }
      }
      throw new picocli.CommandLine.TypeConversionException(
          "wanted claude-code, cursor or vscode, found '%s'".formatted(word));
    }
  }

  private record Written(String file, boolean written, JsonNode content) {}

  @Override
  public Integer call() throws IOException {
    Client chosen = Objects.requireNonNull(client);
    Path file = workbench.resolve(Path.of(chosen.file));
    ObjectNode content = Files.exists(file) ? read(file) : Json.mapper().createObjectNode();
    section(content, file, chosen).set(NAME, entry());
    String text = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(content) + "\n";
    if (!dryRun) {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      NewFile.put(file, text);
    }
    workbench
        .output()
        .result(
            new Written(file.toString(), !dryRun, content),
            dryRun
                ? "%s would be:\n%s".formatted(file, text.stripTrailing())
                : "Wrote %s. Start %s here, and it has this memory.".formatted(file, chosen.word));
    return ExitCode.OK.number();
  }

  private static ObjectNode read(Path file) throws IOException {
    try {
      if (Json.mapper().readTree(Files.readAllBytes(file)) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException _) {
      throw AppException.unreadable(file, "it is no plain JSON, and was not touched");
    }
    throw AppException.unreadable(file, "it is no JSON object, and was not touched");
  }

  private static ObjectNode section(ObjectNode content, Path file, Client client) {
    JsonNode section = content.path(client.section);
    if (section.isMissingNode()) {
      return content.putObject(client.section);
    }
    if (section instanceof ObjectNode servers) {
      return servers;
    }
    throw AppException.unreadable(file, "its '%s' is no object".formatted(client.section));
  }

  private ObjectNode entry() {
    ObjectNode entry = Json.mapper().createObjectNode().put("type", "stdio");
    List<String> program = program();
    entry.put("command", program.getFirst());
    List<String> arguments = new ArrayList<>(program.subList(1, program.size()));
    arguments.add("mcp");
    workbench
        .namedConfig()
        .ifPresent(file -> arguments.addAll(List.of("--config", file.toString())));
    workbench.namedData().ifPresent(data -> arguments.addAll(List.of("--data", data.toString())));
    workbench
        .namedSpace()
        .ifPresent(space -> arguments.addAll(List.of("--space", space.toString())));
    arguments.forEach(entry.putArray("args")::add);
    return entry;
  }

  /** What starts this same program: its launcher, java with the one jar, or what the PATH has. */
  private static List<String> program() {
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
