package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/** Answers that servers gave to clients; none may be untrue afterwards. */
@NullMarked
final class Told {
  /** A lease on a resource, and the latest end that was promised. */
  record Turn(String resource, String holder, boolean alone, long token, Instant until) {}

  /** A note written under a lease, and the message written with it, if any. */
  record Written(String resource, String holder, long token, String message) {}

  final Map<String, Turn> turns = new ConcurrentHashMap<>();
  final Map<String, Written> written = new ConcurrentHashMap<>();
  final Set<String> sent = ConcurrentHashMap.newKeySet();
  final Map<String, String> acknowledged = new ConcurrentHashMap<>();
  final Map<String, String> accepted = new ConcurrentHashMap<>();
  final Set<String> delegated = ConcurrentHashMap.newKeySet();
  final Set<String> handedOver = ConcurrentHashMap.newKeySet();
  final Map<String, Integer> events = new ConcurrentHashMap<>();
  final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** Records an event that has to happen for the test to be meaningful. */
  synchronized void event(String name) {
    events.merge(name, 1, Integer::sum);
    notifyAll();
  }

  /** Records a failure, which must not happen. */
  synchronized void failure(Throwable failure) {
    failures.add(failure);
    notifyAll();
  }

  /** Waits until all of these events have happened. */
  synchronized void await(Set<String> names) throws InterruptedException {
    while (!events.keySet().containsAll(names) && failures.isEmpty()) {
      wait();
    }
  }

  void turn(JsonNode lease) {
    Turn turn =
        new Turn(
            resource(lease.path("resource")),
            lease.path("holder").asString(),
            lease.path("mode").asString().equals("EXCLUSIVE"),
            lease.path("token").asLong(),
            Instant.parse(lease.path("expires_at").asString()));
    turns.merge(
        lease.path("id").asString(),
        turn,
        (before, now) -> {
          assertThat(now.token()).as("prolonged: %s", before).isEqualTo(before.token());
          return now.until().isAfter(before.until()) ? now : before;
        });
  }

  static String resource(JsonNode resource) {
    return resource.path("type").asString() + "/" + resource.path("id").asString();
  }

  /** Records an acknowledgement; only the one claimer of a message may get it. */
  void acknowledged(String message, String agent) {
    assertThat(acknowledged.merge(message, agent, (before, _) -> before))
        .as("who did " + message)
        .isEqualTo(agent);
  }

  void accepted(String work, String agent) {
    assertThat(accepted.putIfAbsent(work, agent)).as("who accepted " + work).isNull();
  }
}
