package dev.caliber.bench.eval;

import dev.caliber.bench.harness.DataFiles;
import dev.caliber.bench.harness.LocatedJson;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Reader of REALTALK: a directory of {@code Chat_*.json}, or one such file. */
final class RealtalkReader {

  private static final DateTimeFormatter TIMES =
      DateTimeFormatter.ofPattern("d.M.yyyy, H:mm[:ss]", Locale.ROOT);

  private RealtalkReader() {}

  static List<EvalCorpus> read(Path data) {
    return DataFiles.filesMatching(data, "Chat_*.json").stream().map(RealtalkReader::chat).toList();
  }

  private static EvalCorpus chat(Path file) {
    LocatedJson chat = LocatedJson.readFile(file);
    return new ConversationReader("clean_text", TIMES)
        .read(DataFiles.stem(file), chat, chat.child("qa"));
  }
}
