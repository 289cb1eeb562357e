package dev.caliber.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caliber.server.TestServer.Reply;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/**
 * Records of every kind for one subject in a space. Each text holds a canary: a word that starts
 * with the name of its subject and {@code canary}, and occurs nowhere else.
 */
@NullMarked
final class SubjectWorld {
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{16,}={0,2}");

  private final TestServer server;
  private final String subject;
  private final List<String> ids = new ArrayList<>();

  private SubjectWorld(TestServer server, String subject) {
    this.server = server;
    this.subject = subject;
  }

  static SubjectWorld of(TestServer server, String subject) {
    SubjectWorld made = new SubjectWorld(server, subject);
    made.fill();
    return made;
  }

  /** Returns the prefix of all its canaries. */
  String canary() {
    return subject + "canary";
  }

  String session() {
    return "session-of-" + subject;
  }

  /** Returns a session that has ended. */
  String endedSession() {
    return "ended-session-of-" + subject;
  }

  /** Returns the existing canaries that a recall limited to the subject does not find. */
  List<String> lost() {
    String found =
        post("/recall", "{'query': 'What is the secret?', 'subject': 'SUBJECT', 'limit': 50}")
            .body()
            .toString();
    return Stream.of("turn", "second", "note", "artifact", "ended")
        .map(canary()::concat)
        .filter(text -> !found.contains(text))
        .toList();
  }

  /** Returns the ids of one record of each kind. */
  List<String> ids() {
    return List.copyOf(new TreeSet<>(ids));
  }

  private void fill() {
    String trajectory = said("The secret is CANARYturn", "turn", "trajectory");
    ids.add(trajectory);
    ids.add(said("Once more the secret is CANARYsecond", "turn", "id"));
    ids.add(
        post("/remember", "{'text': 'The secret of SUBJECT is CANARYnote', 'subject': 'SUBJECT'}")
            .text("note", "id"));
    String scope = first("/trajectories/%s/scopes".formatted(trajectory)).path("id").asString();
    ids.add(scope);
    ids.add(
        post(
                "/scopes/%s/artifacts".formatted(scope),
                "{'artifacts': [{'type': 'FACT', 'text': 'The secret is CANARYartifact'}]}")
            .body()
            .at("/items/0/id")
            .asString());
    ids.add(
        post(
                "/trajectories",
                "{'goal': 'Keep the secret CANARYgoal', 'parent': '%s'}".formatted(trajectory))
            .text("id"));
    ids.add(
        post(
                "/context/assemble",
                "{'session': '%s', 'query': 'CANARYquery', 'keep': 'PERMANENT'}"
                    .formatted(session()))
            .text("window", "id"));
    ids.add(
        post("/trajectories/%s/checkpoint".formatted(trajectory), "{}").text("checkpoint", "id"));
    post("/agents", "{'agent': 'agent-of-SUBJECT', 'type': 'clerk', 'can_delegate_to': ['clerk']}");
    ids.add(
        post(
                "/delegations",
                "{'delegator': 'agent-of-SUBJECT', 'to': {'type': 'clerk'},"
                    + " 'description': 'Tell CANARYtask', 'trajectory': '%s'}"
                        .formatted(trajectory))
            .text("id"));
    String ended =
        post(
                "/remember",
                "{'text': 'The old secret is CANARYended', 'session': '%s', 'subject': 'SUBJECT'}"
                    .formatted(endedSession()))
            .text("turn", "trajectory");
    post("/trajectories/%s/complete".formatted(ended), "{}");
    ids.add(ended);
    ids.removeIf(String::isEmpty);
  }

  private String said(String text, String... path) {
    return post(
            "/remember",
            "{'text': '%s', 'session': '%s', 'subject': 'SUBJECT'}".formatted(text, session()))
        .text(path);
  }

  private Reply post(String path, String text) {
    String json = text.replace('\'', '"').replace("SUBJECT", subject).replace("CANARY", canary());
    Reply reply = server.post(path, json);
    if (reply.status() != 200) {
      throw new AssertionError(path + " " + json + ": " + reply.body());
    }
    return reply;
  }

  private JsonNode first(String path) {
    return server.get(path).body().path("items").path(0);
  }

  /** Returns whether a text quotes one of its records, in words or in base64. */
  boolean isQuotedIn(String text) {
    return text.toLowerCase(Locale.ROOT).contains(canary())
        || BASE64.matcher(text).results().anyMatch(found -> isDecoded(found.group()));
  }

  /**
   * Returns whether a text quotes one of its records, or contains an id of them, or the subject.
   */
  boolean isNamedIn(String text) {
    return isQuotedIn(text)
        || text.contains("\"subject\":\"%s\"".formatted(subject))
        || ids.stream().anyMatch(text::contains);
  }

  private boolean isDecoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), UTF_8).contains(canary());
    } catch (IllegalArgumentException _) {
      return false; // other letters
    }
  }
}
