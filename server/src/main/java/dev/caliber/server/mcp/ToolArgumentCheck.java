package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.NearestName;
import dev.caliber.server.operation.InputTextCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A check of arguments before an operation runs. Its messages say how to correct the call, because
 * the caller is a model and will retry.
 */
final class ToolArgumentCheck {
  private ToolArgumentCheck() {}

  /** Returns the mistakes as sentences; empty if there are none. */
  static List<String> findMistakes(McpTool mcpTool, ObjectNode arguments) {
    JsonNode properties = mcpTool.inputSchema().path("properties");
    List<String> mistakes = new ArrayList<>();
    Optional<InputTextCheck.TextFault> fault = InputTextCheck.findFault(arguments);
    if (fault.isPresent()) { // the answer could not repeat the names of the other faults
      return List.of("%s (at %s).".formatted(fault.get().reason(), fault.get().pointer()));
    }
    for (String name : arguments.propertyNames()) {
      findMistake(properties, name, arguments.get(name)).ifPresent(mistakes::add);
    }
    for (JsonNode required : mcpTool.inputSchema().path("required")) {
      if (arguments.path(required.asString()).isMissingNode()) {
        mistakes.add("'%s' is missing.".formatted(required.asString()));
      }
    }
    return mistakes;
  }

  /** Returns a description of a tool's arguments, for the answer to a mistake. */
  static String usageText(McpTool mcpTool) {
    String names =
        mcpTool.inputSchema().path("properties").propertyNames().stream()
            .map(name -> isRequired(mcpTool, name) ? name + " (required)" : name)
            .collect(Collectors.joining(", "));
    return "'%s' takes: %s. Example: %s"
        .formatted(
            mcpTool.name(), names.isEmpty() ? "nothing" : names, Json.text(mcpTool.example()));
  }

  private static boolean isRequired(McpTool mcpTool, String name) {
    return mcpTool
        .inputSchema()
        .path("required")
        .valueStream()
        .anyMatch(one -> one.asString().equals(name));
  }

  private static Optional<String> findMistake(JsonNode properties, String name, JsonNode value) {
    JsonNode schema = properties.path(name);
    if (schema.isMissingNode()) {
      String hint =
          NearestName.find(name, properties.propertyNames())
              .map(" Did you mean '%s'?"::formatted)
              .orElse("");
      return Optional.of("The tool has no argument '%s'.%s".formatted(name, hint));
    }
    String wanted = schema.path("type").asString("");
    if (!wanted.isEmpty() && !hasType(wanted, value)) {
      return Optional.of("The argument '%s' has to be of type %s.".formatted(name, wanted));
    }
    JsonNode choices = schema.path("enum");
    boolean chosen =
        choices.isMissingNode() || choices.valueStream().anyMatch(choice -> choice.equals(value));
    return chosen
        ? Optional.empty()
        : Optional.of("The argument '%s' has to be one of %s.".formatted(name, Json.text(choices)));
  }

  private static boolean hasType(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> true;
    };
  }
}
