package dev.caliber.bench.eval;

import dev.caliber.bench.harness.LocatedJson;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;

/** Reader of LoCoMo: one file with an array of conversations. */
final class LocomoReader {

  private static final DateTimeFormatter TIMES =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("h:mm a 'on' d MMMM[','] yyyy")
          .toFormatter(Locale.ENGLISH);

  private LocomoReader() {}

  static List<EvalCorpus> read(Path file) {
    ConversationReader reader = new ConversationReader("text", TIMES);
    return LocatedJson.readFile(file).elements().stream()
        .map(
            each ->
                reader.read(each.text("sample_id"), each.child("conversation"), each.child("qa")))
        .toList();
  }
}
