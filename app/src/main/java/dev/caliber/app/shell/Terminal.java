package dev.caliber.app.shell;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The process's streams: results go to the standard output, everything else to the standard error.
 * Only this class uses the process's own streams.
 */
public final class Terminal {
  private static final Pattern STEERING =
      Pattern.compile(
          "\\u001b\\[[0-9;?]*[ -/]*[@-~]|[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]+");
  private static final Pattern FOREIGN =
      Pattern.compile("(?!\\u001b\\[(?:0|1|2|31|32|33)m)[\\p{Cc}&&[^\\n\\t]]");
  private static final String RESET = "\u001b[0m";

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean interactive;
  private final boolean colours;

  private Terminal(
      InputStream in, PrintStream out, PrintStream err, boolean interactive, boolean colours) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.interactive = interactive;
    this.colours = colours;
  }

  /** Returns the streams of this process, as UTF-8 whatever the machine's locale is. */
  static Terminal ofProcess(Map<String, String> environment) {
    boolean interactive =
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    boolean colours = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new Terminal(
        System.in,
        new PrintStream(System.out, true, StandardCharsets.UTF_8),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        interactive,
        colours);
  }

  /** Returns a terminal of two streams that is not interactive. */
  public static Terminal of(PrintStream out, PrintStream err) {
    return of(InputStream.nullInputStream(), out, err);
  }

  /** Returns a terminal of three streams that is not interactive. */
  static Terminal of(InputStream in, PrintStream out, PrintStream err) {
    return new Terminal(in, out, err, false, false);
  }

  /** Returns this terminal with colours, even if it is not interactive. */
  Terminal withColours() {
    return new Terminal(in, out, err, interactive, true);
  }

  /** Returns this terminal with results on the standard error. */
  public Terminal withResultsOnStandardError() {
    return new Terminal(in, err, err, interactive, colours);
  }

  public InputStream in() {
    return in;
  }

  public PrintStream out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  public void printLine(String text) {
    out.println(sanitize(text));
  }

  /** Returns stored text on one line: control characters and line breaks are shown as one blank. */
  static String sanitizeToOneLine(String text) {
    return STEERING.matcher(text).replaceAll(" ");
  }

  /** Prints a message for people to the standard error. */
  public void printNote(String text) {
    err.println(sanitize(text));
  }

  /** Removes control characters on a terminal, except line breaks, tabs and our styles. */
  private String sanitize(String text) {
    return interactive || colours ? FOREIGN.matcher(text).replaceAll("") : text;
  }

  /** Returns whether the reader has closed the output, as behind {@code | head}. */
  public boolean isClosed() {
    return out.checkError();
  }

  boolean isInteractive() {
    return interactive;
  }

  public boolean hasColours() {
    return colours;
  }

  public String bold(String text) {
    return styled("\u001b[1m", text);
  }

  public String success(String text) {
    return styled("\u001b[32m", text);
  }

  public String error(String text) {
    return styled("\u001b[31m", text);
  }

  public String warning(String text) {
    return styled("\u001b[33m", text);
  }

  public String faint(String text) {
    return styled("\u001b[2m", text);
  }

  private String styled(String style, String text) {
    return colours ? style + text + RESET : text;
  }
}
