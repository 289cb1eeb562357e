package dev.caliber.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * BEAM: directories with {@code chat.json} and {@code probing_questions.json}; the path is one of
 * them or what contains them.
 */
final class BeamReader {

  private static final String CHAT = "chat.json";
  private static final Pattern PLAN_MARK = Pattern.compile("\\s*->->\\s*[\\d, ]*$");
  private static final DateTimeFormatter DAYS =
      DateTimeFormatter.ofPattern("MMMM-d-yyyy", Locale.ENGLISH);

  private BeamReader() {}

  static List<EvalCorpus> read(Path data) {
    List<Path> chats =
        Files.isRegularFile(data.resolve(CHAT))
            ? List.of(data)
            : DataFiles.having(DataFiles.directory(data), CHAT);
    return chats.stream().map(BeamReader::chat).toList();
  }

  private static EvalCorpus chat(Path directory) {
    String id = String.valueOf(directory.getFileName());
    List<EvalDocument> messages = new ArrayList<>();
    for (JsonPlace batch : JsonPlace.file(directory.resolve(CHAT)).each()) {
      Optional<Instant> time = batch.optionalText("time_anchor").flatMap(BeamReader::time);
      for (JsonPlace turn : batch.at("turns").each()) {
        for (JsonPlace message : turn.each()) {
          messages.add(message(message, batch.text("batch_number"), time, messages.size()));
        }
      }
    }
    return new EvalCorpus(
        id, messages, questions(id, JsonPlace.file(directory.resolve("probing_questions.json"))));
  }

  private static EvalDocument message(
      JsonPlace message, String session, Optional<Instant> time, int position) {
    return new EvalDocument(
        message.text("id"),
        Optional.of(message.text("role")),
        Optional.empty(),
        PLAN_MARK.matcher(message.text("content")).replaceFirst(""),
        Optional.of(session),
        position,
        time,
        List.of());
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(
          LocalDate.parse(text.strip(), DAYS).atStartOfDay().toInstant(ZoneOffset.UTC));
    } catch (DateTimeException _) {
      return Optional.empty(); // some anchors are words
    }
  }

  private static List<EvalQuestion> questions(String chat, JsonPlace all) {
    List<EvalQuestion> questions = new ArrayList<>();
    for (String category : all.names()) {
      for (JsonPlace question : all.at(category).each()) {
        questions.add(question(chat + "/" + questions.size(), category, question));
      }
    }
    return questions;
  }

  private static EvalQuestion question(String id, String category, JsonPlace question) {
    List<Set<String>> sides =
        question.has("source_chat_ids") ? sides(question.at("source_chat_ids")) : List.of();
    Map<String, Integer> gold =
        sides.stream()
            .flatMap(Set::stream)
            .distinct()
            .collect(Collectors.toMap(each -> each, _ -> 1));
    return new EvalQuestion(id, question.text("question"), category, gold, sides);
  }

  /** An object has a side for each of its properties; an array is one side. */
  private static List<Set<String>> sides(JsonPlace sources) {
    List<JsonPlace> parts =
        sources.node().isObject()
            ? sources.names().stream().filter(sources::has).map(sources::at).toList()
            : List.of(sources);
    return parts.stream().map(BeamReader::ids).filter(side -> !side.isEmpty()).toList();
  }

  /** Ids in an array that may be nested. */
  private static Set<String> ids(JsonPlace part) {
    Set<String> ids = new LinkedHashSet<>();
    for (JsonPlace element : part.node().isArray() ? part.each() : List.of(part)) {
      if (element.node().isArray()) {
        ids.addAll(ids(element));
      } else {
        ids.add(element.text());
      }
    }
    return ids;
  }
}
