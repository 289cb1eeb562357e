package dev.caliber.bench.server;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates a week of a small company's agents: stories that repeat, notes learned from them, and
 * windows for the next call.
 */
public final class StudioDataGenerator {
  /** Age of the oldest data. */
  public static final Duration PAST = Duration.ofDays(7);

  private static final long WEEK = PAST.toHours();

  /** Values that vary when a story repeats. */
  private static final List<Map<String, String>> TELLINGS =
      List.of(
          Map.of(
              "checkout",
              "search",
              "Checkout",
              "Search",
              "Friday",
              "Tuesday",
              "payments",
              "catalogue",
              "4812",
              "4655",
              "231",
              "198",
              "Hamburg",
              "Leipzig",
              "Alice",
              "Chen",
              "eleven",
              "seven",
              "May",
              "March"),
          Map.of(
              "checkout",
              "login",
              "Checkout",
              "Login",
              "Friday",
              "Monday",
              "payments",
              "accounts",
              "4812",
              "4702",
              "231",
              "204",
              "Hamburg",
              "Vienna",
              "Alice",
              "Dana",
              "eleven",
              "twelve",
              "May",
              "April"),
          Map.of(
              "checkout",
              "shipping",
              "Checkout",
              "Shipping",
              "Friday",
              "Thursday",
              "payments",
              "warehouse",
              "4812",
              "4733",
              "231",
              "211",
              "Hamburg",
              "Lyon",
              "Alice",
              "Emil",
              "eleven",
              "nine",
              "May",
              "June"),
          Map.of(
              "checkout",
              "reports",
              "Checkout",
              "Reporting",
              "Friday",
              "Sunday",
              "payments",
              "ledger",
              "4812",
              "4790",
              "231",
              "219",
              "Hamburg",
              "Porto",
              "Alice",
              "Fatou",
              "eleven",
              "ten",
              "May",
              "July"),
          Map.of());

  private static final int BATCH = 100;
  private static final List<Integer> BUDGETS = List.of(500, 900, 1600, 4000);

  private final BenchStudioServer rig;
  private final Map<String, String> sessions = new HashMap<>();
  private final Map<String, String> notes = new HashMap<>();

  public StudioDataGenerator(BenchStudioServer rig) {
    this.rig = rig;
  }

  /** An event some hours ago. */
  private record PastEvent(double hoursAgo, Runnable work) {}

  /** Generates all data in the order of time; afterwards the clock shows the present. */
  public void generateAll() {
    List<PastEvent> events = new ArrayList<>();
    JsonNode stories = read("stories.json");
    for (int telling = 0; telling < TELLINGS.size(); telling++) {
      for (int i = 0; i < stories.size(); i++) {
        int number = telling;
        JsonNode story = substituteWords(stories.get(i), TELLINGS.get(telling));
        double begin =
            WEEK * (1 - (telling * stories.size() + i + 1.0) / (TELLINGS.size() * stories.size()));
        events.add(new PastEvent(begin + (i % 3) / 3.0, () -> replayStory(story, number)));
      }
    }
    read("notes.json")
        .forEach(
            note -> events.add(new PastEvent(note.path("at").asDouble(), () -> addNote(note))));
    events.stream()
        .sorted(Comparator.comparingDouble(PastEvent::hoursAgo).reversed())
        .forEach(this::runEvent);
    rig.clock().goBack(Duration.ZERO);
    new StudioAgentsGenerator(rig).generateAll(Objects.requireNonNull(sessions.get("office-move")));
  }

  private static JsonNode substituteWords(JsonNode story, Map<String, String> instead) {
    String text = Json.text(story);
    for (Map.Entry<String, String> word : instead.entrySet()) {
      text = text.replace(word.getKey(), word.getValue());
    }
    return Json.mapper().readTree(text);
  }

  private void runEvent(PastEvent pastEvent) {
    rig.clock()
        .goBack(
            Duration.ofSeconds((long) (pastEvent.hoursAgo() * Duration.ofHours(1).toSeconds())));
    pastEvent.work().run();
  }

  private static JsonNode read(String name) {
    try (InputStream in =
        Objects.requireNonNull(
            StudioDataGenerator.class.getResourceAsStream("studio/" + name), name)) {
      return Json.mapper().readTree(in.readAllBytes());
    } catch (IOException e) {
      throw BenchException.preparationFailed("Reading " + name, e);
    }
  }

  private void replayStory(JsonNode story, int telling) {
    boolean last = telling == TELLINGS.size() - 1;
    String session = sessionName(story.path("session").asString(), telling);
    Map<String, Object> start = new LinkedHashMap<>();
    start.put("goal", story.path("goal").asString());
    start.put("session", session);
    start.put("subject", story.path("subject").asString());
    start.put("tags", story.path("tags"));
    if (story.has("childOf")) {
      String parent = sessionName(story.path("childOf").asString(), telling);
      start.put("parent", Objects.requireNonNull(sessions.get(parent), parent));
    }
    String id = rig.post("/trajectories", start).path("id").asString();
    sessions.put(session, id);
    String scope = appendTurns(id, session, story);
    rig.post(
        "/scopes/" + scope + "/artifacts", Map.of("artifacts", artifacts(story.path("artifacts"))));
    rig.post("/trajectories/" + id + "/checkpoints", Map.of());
    assembleWindows(id, story.path("query").asString(), telling);
    endTrajectory(id, scope, story, last);
  }

  private static String sessionName(String session, int telling) {
    return telling == TELLINGS.size() - 1 ? session : session + "-" + (telling + 1);
  }

  /** Appends the turns in halves, each in a scope of its own if the story is long. */
  private String appendTurns(String id, String session, JsonNode story) {
    List<Map<String, Object>> turns = turns(story.path("turns"));
    int half = turns.size() / 2;
    JsonNode first =
        rig.post("/sessions/" + session + "/turns", Map.of("turns", turns.subList(0, half)));
    rig.post("/scopes/" + first.path("items").get(0).path("scope").asString() + "/close", Map.of());
    String scope = rig.post("/trajectories/" + id + "/scopes", Map.of()).path("id").asString();
    rig.post("/scopes/" + scope + "/turns", Map.of("turns", turns.subList(half, turns.size())));
    return scope;
  }

  private static List<Map<String, Object>> turns(JsonNode source) {
    List<Map<String, Object>> turns = new ArrayList<>();
    int call = 0;
    for (JsonNode turn : source) {
      String kind = turn.get(0).asString();
      String text = turn.get(1).asString();
      switch (kind) {
        case "CALL" ->
            turns.add(
                turnOfPart(
                    "ASSISTANT",
                    Map.of(
                        "kind",
                        "tool_call",
                        "call",
                        "call-" + ++call,
                        "tool",
                        text,
                        "arguments",
                        turn.get(2).asString())));
        case "RESULT" ->
            turns.add(
                turnOfPart(
                    "TOOL",
                    Map.of(
                        "kind",
                        "tool_result",
                        "call",
                        "call-" + call,
                        "content",
                        text,
                        "failed",
                        text.contains("failed"))));
        default -> turns.add(Map.of("role", kind, "text", text));
      }
    }
    return turns;
  }

  private static Map<String, Object> turnOfPart(String role, Map<String, Object> part) {
    return Map.of("role", role, "parts", List.of(part));
  }

  private static List<Map<String, Object>> artifacts(JsonNode made) {
    List<Map<String, Object>> artifacts = new ArrayList<>();
    made.forEach(
        one ->
            artifacts.add(
                Map.of(
                    "type",
                    one.get(0).asString(),
                    "text",
                    one.get(1).asString(),
                    "confidence",
                    0.9)));
    return artifacts;
  }

  private void assembleWindows(String id, String query, int telling) {
    for (int i = 0; i <= telling % 2; i++) {
      rig.post(
          "/context/assemble",
          Map.of(
              "trajectory",
              id,
              "query",
              query,
              "max_tokens",
              BUDGETS.get((telling + i) % BUDGETS.size()),
              "keep",
              "PERMANENT"));
    }
  }

  private void endTrajectory(String id, String scope, JsonNode story, boolean last) {
    String end = last && !story.has("end") ? "" : story.path("end").asString("complete");
    if (!end.isEmpty()) {
      rig.post("/scopes/" + scope + "/close", Map.of());
      rig.post(
          "/trajectories/%s/%s".formatted(id, end),
          Map.of("summary", story.path("outcome").asString("Done.")));
    }
  }

  private void addNote(JsonNode source) {
    ObjectNode note = source.deepCopy().asObject();
    note.remove(List.of("at", "name", "supersedes"));
    note.set("sources", Json.mapper().valueToTree(noteSources()));
    JsonNode made =
        source.has("supersedes")
            ? rig.post(
                "/notes/" + notes.get(source.path("supersedes").asString()) + "/supersede",
                Map.of("note", note))
            : rig.post("/notes", note);
    if (source.has("name")) {
      notes.put(source.path("name").asString(), made.path("id").asString());
    }
  }

  private List<String> noteSources() {
    return sessions.values().stream().limit(1).toList();
  }

  /** Generates this number of further tasks, for a long list. */
  void generateTasks(int count) {
    for (int done = 0; done < count; done += BATCH) {
      int from = done;
      rig.post(
          "/commit",
          Map.of(
              "operations",
              IntStream.range(from, Math.min(count, from + BATCH))
                  .mapToObj(
                      i ->
                          Map.of(
                              "operation",
                              "start_trajectory",
                              "input",
                              Map.of(
                                  "goal",
                                  "Answer ticket %d: a question about invoices".formatted(i + 1),
                                  "tags",
                                  List.of("support"))))
                  .toList()));
    }
  }

  /** Generates one task with this number of turns; returns its id. */
  String generateLongTask(int turns) {
    String session = "long-conversation";
    String id =
        rig.post(
                "/trajectories",
                Map.of("goal", "Talk for a long time about one thing", "session", session))
            .path("id")
            .asString();
    for (int done = 0; done < turns; done += BATCH) {
      int from = done;
      rig.post(
          "/sessions/" + session + "/turns",
          Map.of(
              "turns",
              IntStream.range(from, Math.min(turns, from + BATCH))
                  .mapToObj(
                      i -> Map.of("role", i % 2 == 0 ? "USER" : "ASSISTANT", "text", sentence(i)))
                  .toList()));
    }
    return id;
  }

  private static String sentence(int i) {
    return "Turn %d speaks of the pool of payments-db, ".formatted(i)
        + "how long requests wait for a connection, and what to do about it. ".repeat(1 + i % 5);
  }
}
