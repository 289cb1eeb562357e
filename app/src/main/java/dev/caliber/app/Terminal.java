package dev.caliber.app;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a command prints: results on the standard output, everything about them on the standard
 * error. The only class that touches the process's own streams.
 */
final class Terminal {
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

  /** The streams of this process, as UTF-8 whatever the machine's locale is. */
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

  /** Two streams that are no terminal. */
  static Terminal of(PrintStream out, PrintStream err) {
    return of(InputStream.nullInputStream(), out, err);
  }

  /** Three streams that are no terminal. */
  static Terminal of(InputStream in, PrintStream out, PrintStream err) {
    return new Terminal(in, out, err, false, false);
  }

  /** The same with colours, whatever it is. */
  Terminal coloured() {
    return new Terminal(in, out, err, interactive, true);
  }

  /** The same with results going where notes go, for what is no result. */
  Terminal diverted() {
    return new Terminal(in, err, err, interactive, colours);
  }

  InputStream in() {
    return in;
  }

  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  void line(String text) {
    out.println(shown(text));
  }

  /**
   * Stored text for a place on one line: whatever would steer a terminal, line breaks included, is
   * shown as one blank.
   */
  static String printable(String text) {
    return STEERING.matcher(text).replaceAll(" ");
  }

  /** For people, beside the result. */
  void note(String text) {
    err.println(shown(text));
  }

  /** On a terminal nothing steers but lines, tabs and our own styles; a program gets all bytes. */
  private String shown(String text) {
    return interactive || colours ? FOREIGN.matcher(text).replaceAll("") : text;
  }

  /** Whether nobody reads the results any more, as behind {@code | head}. */
  boolean isGone() {
    return out.checkError();
  }

  boolean isInteractive() {
    return interactive;
  }

  boolean hasColours() {
    return colours;
  }

  String bold(String text) {
    return styled("\u001b[1m", text);
  }

  String good(String text) {
    return styled("\u001b[32m", text);
  }

  String bad(String text) {
    return styled("\u001b[31m", text);
  }

  String warn(String text) {
    return styled("\u001b[33m", text);
  }

  String faint(String text) {
    return styled("\u001b[2m", text);
  }

  private String styled(String style, String text) {
    return colours ? style + text + RESET : text;
  }
}
