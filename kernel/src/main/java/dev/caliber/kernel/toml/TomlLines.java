package dev.caliber.kernel.toml;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tomlj.TomlPosition;

/**
 * Source without empty and comment lines, and the original numbers of the remaining lines. The
 * parser of TOML takes cubic time over many such lines in a row, so they are removed before
 * parsing.
 *
 * @param text the text for the parser
 * @param originals the number of each line in the source
 */
public record TomlLines(String text, List<Integer> originals) {
  private static final Pattern PLACE = Pattern.compile("\\bline (\\d{1,9})\\b");
  private static final Pattern NOTHING = Pattern.compile("[ \\t]*(#.*)?\\r?");

  public TomlLines {
    originals = List.copyOf(originals);
  }

  public static TomlLines of(TomlText source) {
    BitSet insideTexts = linesInsideTexts(source);
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

  /** Returns the position in the source for a position of the parser. */
  public TomlPosition originalPosition(TomlPosition position) {
    return TomlPosition.positionAt(originalLine(position.line()), position.column());
  }

  /** Returns the parser's message with the line numbers of the source. */
  public String originalMessage(String message) {
    return PLACE
        .matcher(message)
        .replaceAll(
            match ->
                Matcher.quoteReplacement("line " + originalLine(Integer.parseInt(match.group(1)))));
  }

  private int originalLine(int line) {
    return originals.get(Math.clamp(line, 1, originals.size()) - 1);
  }

  /** Returns the lines, the first being 0, that begin inside a text. */
  private static BitSet linesInsideTexts(TomlText text) {
    var inside = new BitSet();
    for (int i = 0; text.characterAt(i) != TomlText.NONE; i = text.nextIndex(i)) {
      if (text.isQuote(i)) {
        inside.set(text.lineOf(i), text.lineOf(text.quotedEnd(i)));
      }
    }
    return inside;
  }
}
