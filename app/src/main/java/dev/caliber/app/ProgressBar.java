package dev.caliber.app;

import dev.caliber.store.Progress;

/** How far long work is, on one line of the standard error; only where somebody watches. */
final class ProgressBar implements Progress, AutoCloseable {
  private static final int WIDTH = 30;
  private static final int PERCENT = 100;
  private static final String CLEAR = "\r\u001b[K";

  private final Terminal terminal;
  private String shown = "";

  private ProgressBar(Terminal terminal) {
    this.terminal = terminal;
  }

  static ProgressBar on(Terminal terminal) {
    return new ProgressBar(terminal);
  }

  @Override
  public void at(String phase, long done, long total) {
    if (!terminal.isInteractive()) {
      return;
    }
    show(text(phase, done, total));
  }

  /** Says why something takes a moment. */
  void say(String text) {
    if (terminal.isInteractive()) {
      show(text);
    }
  }

  private void show(String text) {
    if (!text.equals(shown)) {
      terminal.err().print(CLEAR + text);
      terminal.err().flush();
      shown = text;
    }
  }

  /** The line: a bar where the end is known, else only how much is done, in steps. */
  static String text(String phase, long done, long total) {
    if (total <= 0) {
      long step = Long.highestOneBit(Math.max(done, 1));
      return "%s: more than %,d".formatted(phase, Math.min(step, done));
    }
    long share = Math.clamp(done * PERCENT / total, 0, PERCENT);
    int full = (int) (share * WIDTH / PERCENT);
    return "%s [%s%s] %d %%".formatted(phase, "#".repeat(full), ".".repeat(WIDTH - full), share);
  }

  /** Takes the line away. */
  @Override
  public void close() {
    if (!shown.isEmpty()) {
      terminal.err().print(CLEAR);
      terminal.err().flush();
      shown = "";
    }
  }
}
