package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.DataFiles;
import dev.caliber.bench.harness.LocatedJson;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reader of BEIR: a directory with {@code corpus.jsonl} ({@code _id}, {@code title}, {@code text}),
 * {@code queries.jsonl} ({@code _id}, {@code text}) and {@code qrels/test.tsv} with a line of
 * headings.
 */
final class BeirReader {

  private static final int QREL_FIELDS = 3;

  private BeirReader() {}

  static List<EvalCorpus> read(Path directory) {
    Map<String, Map<String, Integer>> relevant =
        qrels(DataFiles.requireDirectory(directory).resolve("qrels/test.tsv"));
    List<EvalDocument> documents =
        LocatedJson.readLines(directory.resolve("corpus.jsonl")).stream()
            .map(BeirReader::document)
            .toList();
    List<EvalQuestion> questions =
        LocatedJson.readLines(directory.resolve("queries.jsonl")).stream()
            .filter(query -> relevant.containsKey(query.text("_id")))
            .map(query -> question(query, relevant))
            .toList();
    return List.of(new EvalCorpus(String.valueOf(directory.getFileName()), documents, questions));
  }

  private static EvalDocument document(LocatedJson line) {
    return EvalDocument.plain(
        line.text("_id"), line.optionalText("title"), line.optionalText("text").orElse(""));
  }

  private static EvalQuestion question(
      LocatedJson line, Map<String, Map<String, Integer>> relevant) {
    String id = line.text("_id");
    return new EvalQuestion(
        id, line.text("text"), "", relevant.getOrDefault(id, Map.of()), List.of());
  }

  private static Map<String, Map<String, Integer>> qrels(Path file) {
    Map<String, Map<String, Integer>> relevant = new HashMap<>();
    List<String> lines = DataFiles.lines(file);
    for (int i = 0; i < lines.size(); i++) {
      String[] fields = lines.get(i).split("\t", -1);
      boolean judged = fields.length == QREL_FIELDS && fields[2].strip().matches("-?\\d+");
      if (i == 0 && !judged) {
        continue; // column names
      }
      if (!judged) {
        throw BenchException.badData(
            file, "line " + (i + 1), "query, document and grade, separated by tabs", lines.get(i));
      }
      int grade = Integer.parseInt(fields[2].strip());
      if (grade > 0) {
        relevant.computeIfAbsent(fields[0], _ -> new HashMap<>()).put(fields[1], grade);
      }
    }
    return relevant;
  }
}
