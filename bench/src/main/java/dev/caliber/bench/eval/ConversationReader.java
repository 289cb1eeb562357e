package dev.caliber.bench.eval;

import dev.caliber.bench.harness.LocatedJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Shared code for LoCoMo and REALTALK: numbered sessions of turns, and questions. */
final class ConversationReader {

  private static final Pattern SESSION = Pattern.compile("session_(\\d+)");

  private final String textKey;
  private final DateTimeFormatter times;

  /**
   * @param textKey the key of a turn's text
   */
  ConversationReader(String textKey, DateTimeFormatter times) {
    this.textKey = textKey;
    this.times = times;
  }

  EvalCorpus read(String id, LocatedJson conversation, LocatedJson questions) {
    List<EvalDocument> turns = new ArrayList<>();
    for (String name : sessions(conversation)) {
      Optional<Instant> time =
          conversation.optionalText(name + "_date_time").map(text -> time(conversation, text));
      for (LocatedJson turn : conversation.child(name).elements()) {
        turns.add(turn(turn, time, turns.size()));
      }
    }
    return new EvalCorpus(id, turns, questions(id, questions));
  }

  private static List<String> sessions(LocatedJson conversation) {
    return conversation.propertyNames().stream()
        .filter(name -> SESSION.matcher(name).matches())
        .sorted(Comparator.comparingInt(ConversationReader::number))
        .toList();
  }

  private static int number(String session) {
    return Integer.parseInt(SESSION.matcher(session).replaceAll("$1"));
  }

  private EvalDocument turn(LocatedJson turn, Optional<Instant> session, int position) {
    String id = turn.text("dia_id");
    Optional<Instant> time = turn.optionalText("date_time").map(text -> time(turn, text));
    return new EvalDocument(
        id,
        Optional.of(turn.text("speaker")),
        Optional.empty(),
        text(turn),
        Optional.of(TurnIds.session(id)),
        position,
        time.or(() -> session),
        List.of());
  }

  private String text(LocatedJson turn) {
    String said = turn.optionalText(textKey).orElse("");
    return turn.optionalText("blip_caption")
        .map(caption -> said + " [shares " + caption + "]")
        .orElse(said)
        .strip();
  }

  private Instant time(LocatedJson place, String text) {
    try {
      return LocalDateTime.parse(text.strip(), times).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException _) {
      throw place.problem("a time", "'" + text + "'");
    }
  }

  private static List<EvalQuestion> questions(String corpus, LocatedJson all) {
    List<EvalQuestion> questions = new ArrayList<>();
    for (LocatedJson question : all.elements()) {
      List<String> evidence =
          question.hasKey("evidence")
              ? question.child("evidence").elements().stream().map(LocatedJson::text).toList()
              : List.of();
      questions.add(
          EvalQuestion.of(
              corpus + "/" + questions.size(),
              question.text("question"),
              question.optionalText("category").orElse(""),
              TurnIds.parseAll(evidence)));
    }
    return questions;
  }
}
