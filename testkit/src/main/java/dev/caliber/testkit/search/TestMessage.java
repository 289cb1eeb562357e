package dev.caliber.testkit.search;

import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import dev.caliber.testkit.ManualClock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Message of a conversation, for tests of search. */
public record TestMessage(
    String id,
    String session,
    long number,
    String speaker,
    String text,
    Instant saidAt,
    double trust,
    List<String> tags,
    Optional<Long> stars,
    boolean draft,
    List<String> links) {

  public TestMessage {
    tags = List.copyOf(tags);
    links = List.copyOf(links);
  }

  /** Table of messages. */
  public static final Table<TestMessage> MESSAGES =
      Table.of("message", "Messages, for tests.", TestMessage.class, TestMessage::id);

  /** Declaration of searchable messages; drafts are left out. */
  public static final Searchable<TestMessage> SEARCHABLE =
      Searchable.of(MESSAGES)
          .body(TestMessage::text)
          .speaker(TestMessage::speaker)
          .group(TestMessage::session)
          .position(TestMessage::number)
          .documentTime(TestMessage::saidAt)
          .trust(TestMessage::trust)
          .keyword("speaker", TestMessage::speaker)
          .keywords("tags", TestMessage::tags)
          .number("stars", testMessage -> testMessage.stars().orElse(null))
          .time("said_at", TestMessage::saidAt)
          .flag("short", testMessage -> testMessage.text().length() < 20)
          .links(MESSAGES, TestMessage::links)
          .onlyIf(testMessage -> !testMessage.draft());

  public static TestMessage of(String id, String text) {
    return new TestMessage(
        id,
        "s",
        0,
        "ann",
        text,
        ManualClock.START,
        1,
        List.of(),
        Optional.empty(),
        false,
        List.of());
  }

  public TestMessage inSession(String otherSession, long otherNumber) {
    return new TestMessage(
        id, otherSession, otherNumber, speaker, text, saidAt, trust, tags, stars, draft, links);
  }

  public TestMessage withSpeaker(String other) {
    return new TestMessage(
        id, session, number, other, text, saidAt, trust, tags, stars, draft, links);
  }

  public TestMessage withTime(Instant time) {
    return new TestMessage(
        id, session, number, speaker, text, time, trust, tags, stars, draft, links);
  }

  public TestMessage withTrust(double other) {
    return new TestMessage(
        id, session, number, speaker, text, saidAt, other, tags, stars, draft, links);
  }

  public TestMessage withTags(String... other) {
    return new TestMessage(
        id, session, number, speaker, text, saidAt, trust, List.of(other), stars, draft, links);
  }

  public TestMessage withStars(long other) {
    return new TestMessage(
        id, session, number, speaker, text, saidAt, trust, tags, Optional.of(other), draft, links);
  }

  public TestMessage asDraft() {
    return new TestMessage(
        id, session, number, speaker, text, saidAt, trust, tags, stars, true, links);
  }

  public TestMessage withLinks(String... other) {
    return new TestMessage(
        id, session, number, speaker, text, saidAt, trust, tags, stars, draft, List.of(other));
  }
}
