package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Limit;
import dev.caliber.lang.diagnostic.DiagnosticText;
import java.io.IOException;

/** An error for files that cannot be a pack. */
public final class PackException extends CaliberException {
  private static final long serialVersionUID = 1L;

  private PackException(PackErrorCode code, String message) {
    super(code, message);
  }

  private PackException(PackErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  static PackException tooLarge(Limit limit, String where) {
    return new PackException(
        PackErrorCode.PACK_TOO_LARGE,
        limit.name() + ": expected at most " + limit.max() + ", found more at " + shown(where));
  }

  static PackException pathRefused(String path, String reason) {
    return new PackException(
        PackErrorCode.PACK_PATH_REFUSED, "path " + shown(path) + ": " + reason);
  }

  static PackException fileRefused(String path, String found) {
    return new PackException(
        PackErrorCode.PACK_FILE_REFUSED,
        shown(path) + ": expected a plain file or a directory, found " + found);
  }

  static PackException notFound(String directory) {
    return new PackException(PackErrorCode.PACK_NOT_FOUND, "Not a directory: " + shown(directory));
  }

  static PackException unreadable(String path, IOException cause) {
    return new PackException(PackErrorCode.PACK_UNREADABLE, shown(path) + " cannot be read", cause);
  }

  private static String shown(String path) {
    return DiagnosticText.quote(path);
  }
}
