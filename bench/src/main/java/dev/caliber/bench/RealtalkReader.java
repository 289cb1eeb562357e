package dev.caliber.bench;

import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** REALTALK: a directory of {@code Chat_*.json}, one conversation each; or one such file. */
final class RealtalkReader {

  private static final DateTimeFormatter TIMES =
      DateTimeFormatter.ofPattern("d.M.yyyy, H:mm[:ss]", Locale.ROOT);

  private RealtalkReader() {}

  static List<EvalCorpus> read(Path data) {
    return DataFiles.matching(data, "Chat_*.json").stream().map(RealtalkReader::chat).toList();
  }

  private static EvalCorpus chat(Path file) {
    JsonPlace chat = JsonPlace.file(file);
    return new ConversationReader("clean_text", TIMES)
        .read(DataFiles.stem(file), chat, chat.at("qa"));
  }
}
