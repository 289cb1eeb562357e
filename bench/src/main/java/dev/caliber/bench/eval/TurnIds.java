package dev.caliber.bench.eval;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Parser of turn ids as data sets write them: {@code D3:11}, and by slips {@code D:3:11}, several
 * in one text, or a range {@code D3:11-D3:13}. An invalid id is kept as gold that no search can
 * find, so that slips never flatter a figure.
 */
final class TurnIds {

  private static final Pattern RANGE =
      Pattern.compile("D:?(\\d+):(\\d+)\\s*-\\s*(?:D:?\\1:)?(\\d+)");
  private static final Pattern ID = Pattern.compile("D:?(\\d+):(\\d+)");

  private TurnIds() {}

  static Set<String> parseAll(List<String> texts) {
    Set<String> ids = new LinkedHashSet<>();
    texts.stream().filter(text -> !text.isBlank()).forEach(text -> addIds(text.strip(), ids));
    return ids;
  }

  private static void addIds(String text, Set<String> ids) {
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      IntStream.rangeClosed(Integer.parseInt(range.group(2)), Integer.parseInt(range.group(3)))
          .forEach(turn -> ids.add("D" + Integer.parseInt(range.group(1)) + ":" + turn));
      return;
    }
    int before = ids.size();
    Matcher found = ID.matcher(text);
    while (found.find()) {
      ids.add("D" + Integer.parseInt(found.group(1)) + ":" + Integer.parseInt(found.group(2)));
    }
    if (ids.size() == before && !ID.matcher(text).find()) {
      ids.add(text);
    }
  }

  /** Returns the session of a turn: {@code D3:11} is in {@code D3}. */
  static String session(String id) {
    int colon = id.indexOf(':');
    return colon < 0 ? id : id.substring(0, colon);
  }
}
