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
  /** The page behind every address of Studio. */
  public static final String PAGE = "index.html";

  /**
   * The content security policy: pages run the scripts and styles of this server, connect to it,
   * and do nothing else. No text can become markup, because no sink accepts one.
   */
  public static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  /** A file name without directories, so that no name leads out of the resource directory. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*\\.([a-z]+)");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private StudioFiles() {}

  /** A file and its media type. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record StudioFile(String type, byte[] bytes) {}

  /** Returns the file with this name, if there is one. */
  public static Optional<StudioFile> find(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.ofNullable(TYPES.get(matcher.group(1))).flatMap(type -> readResource(name, type))
        : Optional.empty();
  }

  private static Optional<StudioFile> readResource(String name, String type) {
    try (InputStream in = StudioFiles.class.getResourceAsStream(name)) {
      return in == null ? Optional.empty() : Optional.of(new StudioFile(type, in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
