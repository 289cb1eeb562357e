package dev.caliber.testkit.search;

import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import dev.caliber.testkit.ManualClock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something that was said, for tests of search. */
public record Message(
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

  public Message {
    tags = List.copyOf(tags);
    links = List.copyOf(links);
  }

  /** All messages. */
  public static final Table<Message> MESSAGES =
      Table.of("message", "Messages, for tests.", Message.class, Message::id);

  /** Messages as search sees them; drafts are left out. */
  public static final Searchable<Message> SEARCHABLE =
      Searchable.of(MESSAGES)
          .body(Message::text)
          .speaker(Message::speaker)
          .within(Message::session)
          .position(Message::number)
          .at(Message::saidAt)
          .trust(Message::trust)
          .keyword("speaker", Message::speaker)
          .keywords("tags", Message::tags)
          .number("stars", message -> message.stars().orElse(null))
          .time("said_at", Message::saidAt)
          .flag("short", message -> message.text().length() < 20)
          .links(MESSAGES, Message::links)
          .when(message -> !message.draft());

  public static Message of(String id, String text) {
    return new Message(
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

  public Message in(String otherSession, long otherNumber) {
    return new Message(
        id, otherSession, otherNumber, speaker, text, saidAt, trust, tags, stars, draft, links);
  }

  public Message by(String other) {
    return new Message(id, session, number, other, text, saidAt, trust, tags, stars, draft, links);
  }

  public Message at(Instant time) {
    return new Message(id, session, number, speaker, text, time, trust, tags, stars, draft, links);
  }

  public Message trusted(double other) {
    return new Message(
        id, session, number, speaker, text, saidAt, other, tags, stars, draft, links);
  }

  public Message tagged(String... other) {
    return new Message(
        id, session, number, speaker, text, saidAt, trust, List.of(other), stars, draft, links);
  }

  public Message rated(long other) {
    return new Message(
        id, session, number, speaker, text, saidAt, trust, tags, Optional.of(other), draft, links);
  }

  public Message asDraft() {
    return new Message(id, session, number, speaker, text, saidAt, trust, tags, stars, true, links);
  }

  public Message linking(String... other) {
    return new Message(
        id, session, number, speaker, text, saidAt, trust, tags, stars, draft, List.of(other));
  }
}
