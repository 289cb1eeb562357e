package dev.caliber.bench.eval;

import dev.caliber.bench.harness.DataFiles;
import dev.caliber.bench.harness.LocatedJson;
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
 * Reader of BEAM: directories with {@code chat.json} and {@code probing_questions.json}; the path
 * is one of them or their parent.
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
            : DataFiles.directoriesHaving(DataFiles.requireDirectory(data), CHAT);
    return chats.stream().map(BeamReader::chat).toList();
  }

  private static EvalCorpus chat(Path directory) {
    String id = String.valueOf(directory.getFileName());
    List<EvalDocument> messages = new ArrayList<>();
    for (LocatedJson batch : LocatedJson.readFile(directory.resolve(CHAT)).elements()) {
      Optional<Instant> time = batch.optionalText("time_anchor").flatMap(BeamReader::time);
      for (LocatedJson turn : batch.child("turns").elements()) {
        for (LocatedJson message : turn.elements()) {
          messages.add(readMessage(message, batch.text("batch_number"), time, messages.size()));
        }
      }
    }
    return new EvalCorpus(
        id,
        messages,
        questions(id, LocatedJson.readFile(directory.resolve("probing_questions.json"))));
  }

  private static EvalDocument readMessage(
      LocatedJson message, String session, Optional<Instant> time, int position) {
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

  private static List<EvalQuestion> questions(String chat, LocatedJson all) {
    List<EvalQuestion> questions = new ArrayList<>();
    for (String category : all.propertyNames()) {
      for (LocatedJson question : all.child(category).elements()) {
        questions.add(question(chat + "/" + questions.size(), category, question));
      }
    }
    return questions;
  }

  private static EvalQuestion question(String id, String category, LocatedJson question) {
    List<Set<String>> sides =
        question.hasKey("source_chat_ids") ? sides(question.child("source_chat_ids")) : List.of();
    Map<String, Integer> gold =
        sides.stream()
            .flatMap(Set::stream)
            .distinct()
            .collect(Collectors.toMap(each -> each, _ -> 1));
    return new EvalQuestion(id, question.text("question"), category, gold, sides);
  }

  /** Returns the sides: one for each property of an object; one for an array. */
  private static List<Set<String>> sides(LocatedJson sources) {
    List<LocatedJson> parts =
        sources.node().isObject()
            ? sources.propertyNames().stream().filter(sources::hasKey).map(sources::child).toList()
            : List.of(sources);
    return parts.stream().map(BeamReader::ids).filter(side -> !side.isEmpty()).toList();
  }

  /** Returns the ids of an array that may be nested. */
  private static Set<String> ids(LocatedJson part) {
    Set<String> ids = new LinkedHashSet<>();
    for (LocatedJson element : part.node().isArray() ? part.elements() : List.of(part)) {
      if (element.node().isArray()) {
        ids.addAll(ids(element));
      } else {
        ids.add(element.text());
      }
    }
    return ids;
  }
}
