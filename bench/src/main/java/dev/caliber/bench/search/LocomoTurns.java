package dev.caliber.bench.search;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** One LoCoMo conversation: its turns with their ids, and questions with the turns that answer. */
public record LocomoTurns(List<String> ids, List<String> texts, List<LocomoQuestion> questions) {

  private static final Pattern TURN = Pattern.compile("D\\d+:\\d+");

  /** A question and the ids of the turns that answer it. */
  record LocomoQuestion(String text, List<String> evidence) {}

  public static List<LocomoTurns> read(Path file) {
    try {
      var all = new ArrayList<LocomoTurns>();
      Json.mapper().readTree(Files.readAllBytes(file)).forEach(node -> all.add(parse(node)));
      return all;
    } catch (IOException e) {
      throw BenchException.preparationFailed("Reading " + file.getFileName(), e);
    }
  }

  private static LocomoTurns parse(JsonNode node) {
    var found = new LocomoTurns(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (JsonNode session : node.path("conversation")) {
      session.forEach(found::addTurn);
    }
    node.path("qa").forEach(found::addQuestion);
    return found;
  }

  private void addTurn(JsonNode turn) {
    String said = turn.path("speaker").asString() + ": " + turn.path("text").asString();
    ids.add(turn.path("dia_id").asString());
    texts.add((said + " " + turn.path("blip_caption").asString("")).strip());
  }

  private void addQuestion(JsonNode node) {
    var evidence = new ArrayList<String>();
    node.path("evidence")
        .forEach(
            id -> TURN.matcher(id.asString()).results().forEach(hit -> evidence.add(hit.group())));
    questions.add(new LocomoQuestion(node.path("question").asString(), evidence));
  }
}
