package dev.caliber.kernel;

/**
 * Estimates tokens without a tokenizer, by the length of a text in UTF-8. An unpaired surrogate
 * counts three bytes, like the replacement character that takes its place in real UTF-8.
 */
public record TokenEstimate(double bytesPerToken) {
  private static final String ELLIPSIS = "...";

  public TokenEstimate {
    if (!(bytesPerToken > 0 && bytesPerToken <= Integer.MAX_VALUE)) {
      throw KernelException.invalidValue(
          "bytes per token", "a number above 0", Double.toString(bytesPerToken));
    }
  }

  /** The length divided by the bytes per token, rounded up; at most what an int holds. */
  public int estimate(String text) {
    return tokens(Utf8.length(text));
  }

  /**
   * The text itself if its estimate is within the limit. Otherwise its beginning up to the last
   * space that leaves room for "...", with "..." behind; a first word too long for that is cut
   * between two code points. When not even "..." fits, the empty text.
   */
  public String truncate(String text, int maxTokens) {
    if (maxTokens < 0) {
      throw KernelException.invalidValue("tokens", "0 or more", Integer.toString(maxTokens));
    }
    if (estimate(text) <= maxTokens) {
      return text;
    }
    long room = bytes(maxTokens) - ELLIPSIS.length();
    if (room < 0) {
      return "";
    }
    int end = prefix(text, room);
    int space = text.lastIndexOf(' ', end);
    return text.substring(0, space > 0 ? space : end) + ELLIPSIS;
  }

  private int tokens(long bytes) {
    return (int) Math.ceil(bytes / bytesPerToken);
  }

  /** The greatest number of bytes whose estimate is within the limit. */
  private long bytes(int maxTokens) {
    long bytes = (long) (maxTokens * bytesPerToken);
    while (tokens(bytes) > maxTokens) {
      bytes--; // the division may round to just above
    }
    return bytes;
  }

  /** Where the longest beginning of at most so many bytes ends. */
  private static int prefix(String text, long maxBytes) {
    int end = 0;
    long bytes = 0;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      bytes += Utf8.length(codePoint);
      if (bytes > maxBytes) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return end;
  }
}
