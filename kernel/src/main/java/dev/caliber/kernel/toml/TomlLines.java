package dev.caliber.kernel.toml;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tomlj.TomlPosition;

/**
 * A source without its empty lines and those of comments, and where the others stood. The parser of
 * TOML takes cubic time over many such lines in a row, so it is not shown them.
 *
 * @param text what the parser is shown
 * @param originals the number of each line in the source
 */
public record TomlLines(String text, List<Integer> originals) {
  private static final Pattern PLACE = Pattern.compile("\\bline (\\d{1,9})\\b");
  private static final Pattern NOTHING = Pattern.compile("[ \\t]*(#.*)?\\r?");

  public TomlLines {
    originals = List.copyOf(originals);
  }

  public static TomlLines of(TomlText source) {
    BitSet insideTexts = insideTexts(source);
    var text = new StringBuilder();
    var originals = new ArrayList<Integer>();
    String[] lines = source.source().split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      boolean last = i == lines.length - 1;
      if (insideTexts.get(i) || !NOTHING.matcher(lines[i]).matches()) {
        text.append(lines[i]).append(last ? "" : "\n");
        originals.add(i + 1);
      }
    }
    originals.add(lines.length);
    return new TomlLines(text.toString(), originals);
  }

  /** The place in the source that the parser means. */
  public TomlPosition original(TomlPosition position) {
    return TomlPosition.positionAt(original(position.line()), position.column());
  }

  /** What the parser says, with the lines of the source. */
  public String original(String message) {
    return PLACE
        .matcher(message)
        .replaceAll(
            match ->
                Matcher.quoteReplacement("line " + original(Integer.parseInt(match.group(1)))));
  }

  private int original(int line) {
    return originals.get(Math.clamp(line, 1, originals.size()) - 1);
  }

  /** The lines, the first being 0, that begin inside a text. */
  private static BitSet insideTexts(TomlText text) {
    var inside = new BitSet();
    for (int i = 0; text.at(i) != TomlText.NONE; i = text.next(i)) {
      if (text.isQuote(i)) {
        inside.set(text.lineOf(i), text.lineOf(text.quotedEnd(i)));
      }
    }
    return inside;
  }
}
