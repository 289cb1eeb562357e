package dev.caliber.studio;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of Studio, by name. */
public final class StudioFiles {
  /** The page that every address of Studio begins with. */
  public static final String PAGE = "index.html";

  /**
   * What browsers may do with them: run the scripts and styles of this server, talk to it, and
   * nothing else. No text can become markup, because no sink takes one.
   */
  public static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  /** One directory, and nothing that could lead out of it. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*\\.([a-z]+)");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private StudioFiles() {}

  /** A file and how to say what it is. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record File(String type, byte[] bytes) {}

  /** The file of this name, if Studio has it. */
  public static Optional<File> find(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.ofNullable(TYPES.get(matcher.group(1))).flatMap(type -> read(name, type))
        : Optional.empty();
  }

  private static Optional<File> read(String name, String type) {
    try (InputStream in = StudioFiles.class.getResourceAsStream(name)) {
      return in == null ? Optional.empty() : Optional.of(new File(type, in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
