package dev.caliber.bench;

import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;

/** LoCoMo: one file with an array of conversations. */
final class LocomoReader {

  private static final DateTimeFormatter TIMES =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("h:mm a 'on' d MMMM[','] yyyy")
          .toFormatter(Locale.ENGLISH);

  private LocomoReader() {}

  static List<EvalCorpus> read(Path file) {
    ConversationReader reader = new ConversationReader("text", TIMES);
    return JsonPlace.file(file).each().stream()
        .map(each -> reader.read(each.text("sample_id"), each.at("conversation"), each.at("qa")))
        .toList();
  }
}
