package dev.caliber.server.mcp;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.Json;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.References;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.PackContent;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Rooms;
import dev.caliber.server.operation.ServerException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The prompts of the pack that a space runs on: one for each of its agents. */
final class PromptOperations {
  private final Deployments deployments;

  private PromptOperations(Rooms rooms) {
    this.deployments = rooms.deployments();
  }

  static List<Operation<?, ?>> of(Rooms rooms) {
    PromptOperations here = new PromptOperations(rooms);
    return List.of(
        Operation.<Nothing, Prompts>reading(
                "list_prompts",
                "The prompts of the pack that the space runs on.",
                Nothing.class,
                (caller, _) -> here.list(caller))
            .forAgents(Needs.NOTHING)
            .forSubjects(),
        Operation.reading(
                "get_prompt",
                "A prompt of that pack, with what its caller gives it.",
                Filling.class,
                here::fill)
            .forAgents(Needs.NOTHING)
            .forSubjects());
  }

  record Nothing() {}

  /** What a prompt has to be given. */
  record Argument(String name, boolean required) {}

  record Prompt(String name, String description, List<Argument> arguments) {}

  record Prompts(List<Prompt> prompts) {}

  private Prompts list(Caller caller) {
    JsonNode pack = pack(caller);
    return new Prompts(
        agents(pack)
            .map(
                agent ->
                    new Prompt(
                        name(agent),
                        "What the agent '%s' of %s is told."
                            .formatted(name(agent), pack.at("/meta/project").asString("")),
                        inputs(agent).map(input -> new Argument(input, true)).toList()))
            .toList());
  }

  /** Which prompt, and its arguments. */
  record Filling(String name, Optional<Map<String, String>> arguments) {}

  /** What somebody says. */
  record Spoken(String role, Text content) {}

  record Text(String type, String text) {}

  record Filled(List<Spoken> messages) {}

  /** There is no other role than the user's that a prompt could speak in to a model. */
  private Filled fill(Caller caller, Filling wish) {
    JsonNode pack = pack(caller);
    JsonNode agent =
        agents(pack)
            .filter(one -> name(one).equals(wish.name()))
            .findFirst()
            .orElseThrow(
                () ->
                    ServerException.invalidInput(
                        "/name", "Wanted a prompt of this space, found none of that name"));
    Map<String, String> given = wish.arguments().orElse(Map.of());
    inputs(agent)
        .filter(input -> !given.containsKey(input))
        .findFirst()
        .ifPresent(
            input -> {
              throw ServerException.invalidInput(
                  "/arguments/" + input, "Wanted a text, found none");
            });
    return new Filled(
        agent
            .at("/prompt/sections")
            .valueStream()
            .map(section -> filled(section.path("text").asString(""), pack, given).strip())
            .filter(text -> !text.isEmpty())
            .map(text -> new Spoken("user", new Text("text", text)))
            .toList());
  }

  private JsonNode pack(Caller caller) {
    return deployments
        .active(caller.space())
        .flatMap(active -> deployments.pack(caller.space(), active))
        .map(PackContent::ir)
        .map(Json.mapper()::readTree)
        .orElseGet(Json.mapper()::createObjectNode);
  }

  private static Stream<JsonNode> agents(JsonNode pack) {
    return pack.path("agents").valueStream().filter(agent -> agent.path("enabled").asBoolean());
  }

  private static Stream<String> inputs(JsonNode agent) {
    return agent.at("/prompt/inputs").valueStream().map(JsonNode::asString);
  }

  private static String name(JsonNode agent) {
    return agent.path("name").asString("");
  }

  private static String filled(String text, JsonNode pack, Map<String, String> given) {
    return References.replace(text, reference -> value(reference, pack, given));
  }

  /** What is no text of the pack stays as it is written: a tool is called by its name. */
  private static String value(Reference reference, JsonNode pack, Map<String, String> given) {
    return switch (reference) {
      case Reference.Input(var name, _) -> given.getOrDefault(name, reference.text());
      case Reference.Setting setting -> setting(setting, pack).orElseGet(setting::path);
      case Reference.Environment _ -> reference.text();
    };
  }

  private static Optional<String> setting(Reference.Setting setting, JsonNode pack) {
    JsonNode found = pack.path(setting.root().word());
    for (String key : setting.keys()) {
      found = found.isArray() ? named(found, key) : found.path(key);
    }
    return Optional.of(found).filter(JsonNode::isString).map(JsonNode::asString);
  }

  private static JsonNode named(JsonNode all, String name) {
    return all.valueStream()
        .filter(one -> name(one).equals(name))
        .findFirst()
        .orElseGet(Json.mapper()::missingNode);
  }
}
