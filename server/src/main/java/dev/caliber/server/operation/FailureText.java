package dev.caliber.server.operation;

import dev.caliber.kernel.CaliberException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a failure in the log, in one line: class, message and first frames of the exception
 * and of its causes. Messages of other libraries are shortened and their quoted parts emptied,
 * because they may quote a record or a request; passwords and keys are removed from all messages.
 */
public final class FailureText {
  private static final int CAUSES_BOUND = 4;
  private static final int FRAMES_BOUND = 8;
  private static final int MESSAGE_BOUND = 300;
  private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|'[^']*'|\\(\\([^)]*\\)");
  private static final Pattern SECRET =
      Pattern.compile("(?i)(?<=password=)[^&\\s]+|(?<=://)[^/@\\s]+(?=@)|cal_\\w+");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

  private FailureText() {}

  public static String describe(Throwable failure) {
    StringBuilder line = new StringBuilder();
    Throwable one = failure;
    for (int i = 0; i < CAUSES_BOUND && one != null; i++) {
      line.append(i == 0 ? "" : "; caused by ").append(one.getClass().getName());
      String message = causeMessage(one);
      line.append(message.isEmpty() ? "" : ": " + message).append(frames(one));
      one = one.getCause();
    }
    return line.toString();
  }

  private static String frames(Throwable one) {
    return Arrays.stream(one.getStackTrace())
        .limit(FRAMES_BOUND)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining(" < ", " at ", ""));
  }

  /** Returns the message of a cause; that of a parser is left out, because it quotes its input. */
  private static String causeMessage(Throwable one) {
    String text = String.valueOf(one.getMessage());
    String first = text.lines().findFirst().orElse("");
    if (one.getMessage() == null || one.getClass().getName().startsWith("tools.jackson.")) {
      return "";
    }
    boolean ours = one instanceof CaliberException;
    boolean ofCode = one instanceof NullPointerException;
    String state =
        one instanceof SQLException sql ? " (state %s)".formatted(sql.getSQLState()) : "";
    String open = ours || ofCode ? first : QUOTED.matcher(first).replaceAll("\"…\"");
    String safe = CONTROL.matcher(SECRET.matcher(open).replaceAll("…")).replaceAll(" ");
    return (safe.length() > MESSAGE_BOUND ? safe.substring(0, MESSAGE_BOUND) + "…" : safe) + state;
  }
}
