package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.DataFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reader of CACM: a directory with {@code cacm.tar.gz} (one HTML file for each abstract), {@code
 * topics.cacm.txt} and {@code qrels.cacm.txt}. The part after an abstract's number (its author of
 * entry, and its citations as numbers) is not text; its direct citations are links.
 */
final class CacmReader {

  private static final Pattern TAG = Pattern.compile("<[^>]*>");
  private static final Pattern RECORD_NUMBER = Pattern.compile("(?m)^\\s*CA\\d{6}");
  private static final Pattern CITATION = Pattern.compile("(?m)^(\\d+)\\s+5\\s+(\\d+)\\s*$");
  private static final Pattern TOPIC =
      Pattern.compile("<DOC>\\s*<DOCNO>\\s*(\\d+)\\s*</DOCNO>(.*?)</DOC>", Pattern.DOTALL);
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int QREL_FIELDS = 4;

  private CacmReader() {}

  static List<EvalCorpus> read(Path directory) {
    List<EvalDocument> documents = new ArrayList<>();
    TarGzReader.forEachFile(
        DataFiles.requireDirectory(directory).resolve("cacm.tar.gz"),
        (name, content) -> documents.add(document(name, content)));
    return List.of(new EvalCorpus("cacm", documents, questions(directory)));
  }

  private static EvalDocument document(String name, byte[] content) {
    String text = TAG.matcher(new String(content, StandardCharsets.UTF_8)).replaceAll(" ");
    String record = RECORD_NUMBER.split(text, 2)[0];
    return EvalDocument.plain(
            DataFiles.stem(Path.of(name)), java.util.Optional.empty(), plainText(record))
        .withLinks(citations(text));
  }

  /** Returns both ends of each direct citation; one of them is the document itself. */
  private static List<String> citations(String text) {
    return CITATION
        .matcher(text)
        .results()
        .flatMap(pair -> Stream.of(pair.group(1), pair.group(2)))
        .map(number -> String.format(Locale.ROOT, "CACM-%04d", Integer.parseInt(number)))
        .distinct()
        .toList();
  }

  private static String plainText(String text) {
    String characters =
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&");
    return BLANKS.matcher(characters).replaceAll(" ").strip();
  }

  private static List<EvalQuestion> questions(Path directory) {
    Map<String, Map<String, Integer>> relevant = qrels(directory.resolve("qrels.cacm.txt"));
    Path topics = directory.resolve("topics.cacm.txt");
    try {
      List<MatchResult> found = TOPIC.matcher(Files.readString(topics)).results().toList();
      return found.stream()
          .map(
              topic ->
                  new EvalQuestion(
                      topic.group(1),
                      plainText(topic.group(2)),
                      "",
                      relevant.getOrDefault(topic.group(1), Map.of()),
                      List.of()))
          .filter(EvalQuestion::hasGold)
          .toList();
    } catch (IOException e) {
      throw BenchException.unreadable(topics, e);
    }
  }

  private static Map<String, Map<String, Integer>> qrels(Path file) {
    Map<String, Map<String, Integer>> relevant = new HashMap<>();
    int number = 0;
    for (String line : DataFiles.lines(file)) {
      number++;
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length != QREL_FIELDS || !fields[3].matches("-?\\d+")) {
        throw BenchException.badData(file, "line " + number, "topic, 0, document, grade", line);
      }
      int grade = Integer.parseInt(fields[3]);
      if (grade > 0) {
        relevant.computeIfAbsent(fields[0], _ -> new HashMap<>()).put(fields[2], grade);
      }
    }
    return relevant;
  }
}
