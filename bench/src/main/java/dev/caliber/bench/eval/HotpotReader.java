package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.DataFiles;
import dev.caliber.bench.harness.LocatedJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reader of HotpotQA's layout: a JSON array of questions with {@code context} (title and sentences)
 * and {@code supporting_facts} (title and sentence). All questions share one corpus: a file beside
 * it named {@code …_corpus.json} ({@code title}, {@code text}), or else the contexts of all
 * questions. The unit is one paragraph; gold are the paragraphs of the supporting titles.
 */
final class HotpotReader {

  private static final String CORPUS = "_corpus.json";

  private final Map<Paragraph, String> ids = new LinkedHashMap<>();
  private final Map<String, Integer> titles = new HashMap<>();

  /** A paragraph of an article; titles alone need not be unique. */
  private record Paragraph(String title, String text) {}

  static List<EvalCorpus> read(Path data) {
    return List.of(new HotpotReader().readFile(questionsIn(data)));
  }

  private static Path questionsIn(Path data) {
    List<Path> files =
        DataFiles.filesMatching(data, "*.json").stream()
            .filter(file -> !file.toString().endsWith(CORPUS))
            .toList();
    if (files.size() != 1) {
      throw BenchException.badData(
          data, "the directory", "one file of questions", Integer.toString(files.size()));
    }
    return files.getFirst();
  }

  private EvalCorpus readFile(Path file) {
    List<LocatedJson> questions = LocatedJson.readFile(file).elements();
    Path corpus = file.resolveSibling(DataFiles.stem(file) + CORPUS);
    boolean separate = Files.isRegularFile(corpus);
    if (separate) {
      LocatedJson.readFile(corpus)
          .elements()
          .forEach(each -> add(each.text("title"), each.text("text")));
    } else {
      questions.forEach(each -> context(each).forEach(part -> add(part.title, part.text)));
    }
    List<EvalQuestion> asked = new ArrayList<>();
    questions.forEach(each -> asked.add(question(each, asked.size())));
    return new EvalCorpus(DataFiles.stem(file), documents(), asked);
  }

  private void add(String title, String text) {
    ids.computeIfAbsent(new Paragraph(title, text), part -> newId(part.title));
  }

  private String newId(String title) {
    int number = titles.merge(title, 1, Integer::sum);
    return number == 1 ? title : title + "#" + number;
  }

  private List<EvalDocument> documents() {
    return ids.entrySet().stream()
        .map(
            each ->
                EvalDocument.plain(
                    each.getValue(), Optional.of(each.getKey().title), each.getKey().text))
        .toList();
  }

  private EvalQuestion question(LocatedJson question, int number) {
    Set<String> supporting =
        new LinkedHashSet<>(pairs(question.child("supporting_facts"), "title"));
    List<Paragraph> own = question.hasKey("context") ? context(question) : List.of();
    Set<String> gold =
        supporting.stream().map(title -> goldParagraphId(title, own)).collect(Collectors.toSet());
    return EvalQuestion.of(
        question.optionalText("_id").orElse(Integer.toString(number)),
        question.text("question"),
        question.optionalText("type").orElse(""),
        gold);
  }

  /** Returns the id of the question's own paragraph, or else of the first with that title. */
  private String goldParagraphId(String title, List<Paragraph> context) {
    return context.stream()
        .filter(part -> part.title.equals(title) && ids.containsKey(part))
        .map(ids::get)
        .findFirst()
        .orElse(title);
  }

  private static List<Paragraph> context(LocatedJson question) {
    LocatedJson context = question.child("context");
    List<String> named = pairs(context, "title");
    List<LocatedJson> sentences =
        context.node().isArray()
            ? context.elements().stream().map(pair -> pair.element(1)).toList()
            : context.child("sentences").elements();
    List<Paragraph> parts = new ArrayList<>();
    if (sentences.size() != named.size()) {
      throw context.problem(named.size() + " lists of sentences", sentences.size() + "");
    }
    for (int i = 0; i < named.size(); i++) {
      parts.add(new Paragraph(named.get(i), joined(sentences.get(i))));
    }
    return parts;
  }

  /** Reads pairs in an array, or an object with an array of titles: both are in use. */
  private static List<String> pairs(LocatedJson value, String key) {
    return value.node().isArray()
        ? value.elements().stream().map(pair -> pair.element(0).text()).toList()
        : value.child(key).elements().stream().map(LocatedJson::text).toList();
  }

  private static String joined(LocatedJson sentences) {
    return sentences.elements().stream()
        .map(LocatedJson::text)
        .collect(Collectors.joining())
        .strip();
  }
}
