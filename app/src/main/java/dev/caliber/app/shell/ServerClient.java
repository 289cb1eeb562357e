package dev.caliber.app.shell;

import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberClientException;
import dev.caliber.server.operation.ApiContract;
import dev.caliber.server.operation.ApiContract.ContractRoute;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Operations of the server that holds a command's store. */
record ServerClient(CaliberClient client) implements StoreOperations {
  /** The client adds it to each path. */
  private static final String BASE = "/api/v1";

  private static final Pattern PATH_PARAMETER = Pattern.compile("\\{(\\w+)}");

  static ServerClient of(URI server, CommandConfig config, String space, Optional<String> key) {
    CaliberClient client =
        CaliberClient.of(server).withTimeout(config.serverTimeout()).inSpace(space);
    return new ServerClient(key.map(client::withKey).orElse(client));
  }

  @Override
  public JsonNode run(String operation, OperationInput input) {
    ContractRoute route =
        ApiContract.instance().routes(operation).stream()
            .filter(one -> hasPathParameters(one, input))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No route for " + operation));
    try {
      return route.method().equals("GET")
          ? client.get(path(route, input), queryParameters(route, input))
          : client.post(path(route, input), input.json());
    } catch (CaliberClientException problem) {
      throw AppException.serverError(problem);
    }
  }

  private static boolean hasPathParameters(ContractRoute route, OperationInput input) {
    return PATH_PARAMETER
        .matcher(route.path())
        .results()
        .allMatch(parameter -> input.json().has(parameter.group(1)));
  }

  private static String path(ContractRoute route, OperationInput input) {
    return PATH_PARAMETER
        .matcher(route.path().substring(BASE.length()))
        .replaceAll(
            parameter ->
                Matcher.quoteReplacement(
                    CaliberClient.encodePathSegment(
                        input.json().path(parameter.group(1)).asString())));
  }

  private static Map<String, String> queryParameters(ContractRoute route, OperationInput input) {
    Map<String, String> query = new TreeMap<>();
    input
        .json()
        .properties()
        .forEach(
            property -> {
              if (!route.path().contains("{" + property.getKey() + "}")) {
                query.put(property.getKey(), queryText(property.getValue()));
              }
            });
    return query;
  }

  private static String queryText(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(","))
        : value.asString();
  }

  @Override
  public Optional<String> embedBacklog() {
    return Optional.empty();
  }

  @Override
  public void awaitIndexed() {
    // The server updates its index by itself.
  }

  @Override
  public void close() {
    client.close();
  }
}
