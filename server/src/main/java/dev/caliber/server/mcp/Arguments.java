package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.NearestName;
import dev.caliber.server.operation.InputText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks at arguments before an operation does, and says how to do it right: whoever called is a
 * model, which corrects itself when it is told.
 */
final class Arguments {
  private Arguments() {}

  /** What is wrong, as sentences; empty if nothing is. */
  static List<String> mistakes(Tool tool, ObjectNode arguments) {
    JsonNode properties = tool.inputSchema().path("properties");
    List<String> mistakes = new ArrayList<>();
    Optional<InputText.Fault> fault = InputText.fault(arguments);
    if (fault.isPresent()) { // the names of the others could not be repeated
      return List.of("%s (at %s).".formatted(fault.get().reason(), fault.get().pointer()));
    }
    for (String name : arguments.propertyNames()) {
      mistake(properties, name, arguments.get(name)).ifPresent(mistakes::add);
    }
    for (JsonNode required : tool.inputSchema().path("required")) {
      if (arguments.path(required.asString()).isMissingNode()) {
        mistakes.add("'%s' is missing.".formatted(required.asString()));
      }
    }
    return mistakes;
  }

  /** What there is to say about a tool's arguments after a mistake. */
  static String usage(Tool tool) {
    String names =
        tool.inputSchema().path("properties").propertyNames().stream()
            .map(name -> isRequired(tool, name) ? name + " (required)" : name)
            .collect(Collectors.joining(", "));
    return "'%s' takes: %s. Example: %s"
        .formatted(tool.name(), names.isEmpty() ? "nothing" : names, Json.text(tool.example()));
  }

  private static boolean isRequired(Tool tool, String name) {
    return tool.inputSchema()
        .path("required")
        .valueStream()
        .anyMatch(one -> one.asString().equals(name));
  }

  private static Optional<String> mistake(JsonNode properties, String name, JsonNode value) {
    JsonNode schema = properties.path(name);
    if (schema.isMissingNode()) {
      String hint =
          NearestName.of(name, properties.propertyNames())
              .map(" Did you mean '%s'?"::formatted)
              .orElse("");
      return Optional.of("There is no argument '%s'.%s".formatted(name, hint));
    }
    String wanted = schema.path("type").asString("");
    if (!wanted.isEmpty() && !is(wanted, value)) {
      return Optional.of("'%s' has to be of type %s.".formatted(name, wanted));
    }
    JsonNode choices = schema.path("enum");
    boolean chosen =
        choices.isMissingNode() || choices.valueStream().anyMatch(choice -> choice.equals(value));
    return chosen
        ? Optional.empty()
        : Optional.of("'%s' has to be one of %s.".formatted(name, Json.text(choices)));
  }

  private static boolean is(String type, JsonNode value) {
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
