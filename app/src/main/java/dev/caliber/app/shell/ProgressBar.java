package dev.caliber.app.shell;

import dev.caliber.store.ProgressListener;

/** Progress of long work, on one line of the standard error; only on a terminal. */
public final class ProgressBar implements ProgressListener, AutoCloseable {
  private static final int WIDTH = 30;
  private static final int PERCENT = 100;
  private static final String CLEAR = "\r\u001b[K";

  private final Terminal terminal;
  private String shown = "";

  private ProgressBar(Terminal terminal) {
    this.terminal = terminal;
  }

  public static ProgressBar forTerminal(Terminal terminal) {
    return new ProgressBar(terminal);
  }

  @Override
  public void onProgress(String phase, long done, long total) {
    if (!terminal.isInteractive()) {
      return;
    }
    drawLine(progressLine(phase, done, total));
  }

  /** Shows a text while something takes a moment. */
  void showMessage(String text) {
    if (terminal.isInteractive()) {
      drawLine(text);
    }
  }

  private void drawLine(String text) {
    if (!text.equals(shown)) {
      terminal.err().print(CLEAR + text);
      terminal.err().flush();
      shown = text;
    }
  }

  /** Formats the line: a bar if the total is known, else the count so far, in steps. */
  static String progressLine(String phase, long done, long total) {
    if (total <= 0) {
      long step = Long.highestOneBit(Math.max(done, 1));
      return "%s: more than %,d".formatted(phase, Math.min(step, done));
    }
    long share = Math.clamp(done * PERCENT / total, 0, PERCENT);
    int full = (int) (share * WIDTH / PERCENT);
    return "%s [%s%s] %d %%".formatted(phase, "#".repeat(full), ".".repeat(WIDTH - full), share);
  }

  /** Clears the line. */
  @Override
  public void close() {
    if (!shown.isEmpty()) {
      terminal.err().print(CLEAR);
      terminal.err().flush();
      shown = "";
    }
  }
}
