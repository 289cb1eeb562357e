package dev.caliber.app;

import dev.caliber.client.ApiDefinitions;
import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberClientException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Calls over REST, at the paths of the contract. */
@NullMarked
final class RestCalls implements Calls {
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
  private static final Map<String, Route> ROUTES = routes();

  private final CaliberClient client;

  RestCalls(URI server) {
    this.client = CaliberClient.of(server);
  }

  private record Route(boolean reading, String path) {}

  private static Map<String, Route> routes() {
    Map<String, Route> routes = new HashMap<>();
    JsonNode paths = new YAMLMapper().readTree(ApiDefinitions.openApi()).path("paths");
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        routes.putIfAbsent(
            method.getValue().path("x-caliber-operation").asString(""),
            new Route(method.getKey().equals("get"), path.getKey().replaceFirst("/api/v1", "")));
      }
    }
    return routes;
  }

  @Override
  public JsonNode ask(String operation, ObjectNode input, String key) throws Lost {
    Route route = Objects.requireNonNull(ROUTES.get(operation), operation);
    ObjectNode rest = input.deepCopy();
    String path =
        PARAMETER
            .matcher(route.path())
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        CaliberClient.encodePathSegment(rest.remove(found.group(1)).asString())));
    try {
      return route.reading()
          ? client.get(path, parameters(rest))
          : client.postOnce(path, rest, key);
    } catch (CaliberClientException problem) {
      if (problem.status() == CaliberClientException.UNREACHABLE
          || problem.status() == HttpURLConnection.HTTP_UNAVAILABLE) {
        throw new Lost(problem);
      }
      throw new Refused(problem.code(), problem);
    }
  }

  private static Map<String, String> parameters(ObjectNode rest) {
    Map<String, String> parameters = new HashMap<>();
    rest.properties().forEach(each -> parameters.put(each.getKey(), each.getValue().asString()));
    return parameters;
  }

  @Override
  public void close() {
    client.close();
  }
}
