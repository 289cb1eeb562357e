package dev.caliber.kernel;

/**
 * Estimator of tokens without a tokenizer, by the length of a text in UTF-8. An unpaired surrogate
 * counts three bytes, like the replacement character that takes its place in real UTF-8.
 */
public record TokenEstimator(double bytesPerToken) {
  private static final String ELLIPSIS = "...";

  public TokenEstimator {
    if (!(bytesPerToken > 0 && bytesPerToken <= Integer.MAX_VALUE)) {
      throw KernelException.invalidValue(
          "bytes per token", "a number above 0", Double.toString(bytesPerToken));
    }
  }

  /** Returns the length divided by the bytes per token, rounded up; at most what an int holds. */
  public int estimate(String text) {
    return tokensOfBytes(Utf8.length(text));
  }

  /**
   * Returns the text itself if its estimate is within the limit. Otherwise returns its beginning up
   * to the last space that leaves space for "...", followed by "..."; a first word too long for
   * that is cut between two code points. If not even "..." fits, returns the empty text.
   */
  public String truncate(String text, int maxTokens) {
    if (maxTokens < 0) {
      throw KernelException.invalidValue("tokens", "0 or more", Integer.toString(maxTokens));
    }
    if (estimate(text) <= maxTokens) {
      return text;
    }
    long room = maxBytes(maxTokens) - ELLIPSIS.length();
    if (room < 0) {
      return "";
    }
    int end = prefixLength(text, room);
    int space = text.lastIndexOf(' ', end);
    return text.substring(0, space > 0 ? space : end) + ELLIPSIS;
  }

  private int tokensOfBytes(long bytes) {
    return (int) Math.ceil(bytes / bytesPerToken);
  }

  /** Returns the greatest number of bytes whose estimate is within the limit. */
  private long maxBytes(int maxTokens) {
    long bytes = (long) (maxTokens * bytesPerToken);
    while (tokensOfBytes(bytes) > maxTokens) {
      bytes--; // the division may round to just above
    }
    return bytes;
  }

  /** Returns the end of the longest prefix of at most this number of bytes. */
  private static int prefixLength(String text, long maxBytes) {
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
