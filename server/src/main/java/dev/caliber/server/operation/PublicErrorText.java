package dev.caliber.server.operation;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorFamily;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The message of an error for callers over the network. Errors of the store, of search and of
 * models name the database, files and hosts of this machine; the log and the command line keep
 * those names, an answer has none of them.
 */
public final class PublicErrorText {
  private static final Set<ErrorFamily> OF_MACHINE =
      Set.of(ErrorFamily.STORAGE, ErrorFamily.VECTOR, ErrorFamily.LLM);

  private static final Pattern DATABASE = Pattern.compile("jdbc:[^\\s'\"]+");
  private static final Pattern FILE =
      Pattern.compile(
          "(?<![\\w:/.])/[^\\s/'\",;:]+(?:/[^\\s/'\",;:]+)+/?|\\b[A-Za-z]:\\\\[^\\s'\",;]+");
  private static final Pattern HOST =
      Pattern.compile(
          "(?:\\b\\d{1,3}(?:\\.\\d{1,3}){3}|\\b[A-Za-z][\\w-]*(?:\\.[\\w-]+)*|\\[[0-9a-fA-F:]+]):\\d{2,5}\\b");

  private PublicErrorText() {}

  public static String publicMessage(CaliberException error) {
    return OF_MACHINE.contains(error.code().family())
        ? hideMachineDetails(error.message())
        : error.message();
  }

  /** Returns the code and the message in one line. */
  public static String codeAndMessage(CaliberException error) {
    return "%s: %s".formatted(error.code().text(), publicMessage(error));
  }

  private static String hideMachineDetails(String message) {
    String withoutDatabase = DATABASE.matcher(message).replaceAll("The database");
    String withoutFile = FILE.matcher(withoutDatabase).replaceAll("a file of the server");
    return HOST.matcher(withoutFile).replaceAll("a host");
  }
}
