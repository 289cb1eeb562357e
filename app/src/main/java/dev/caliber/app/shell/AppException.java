package dev.caliber.app.shell;

import dev.caliber.client.CaliberClientException;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.SpaceId;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** An error of the command line: wrong usage, or a file, store or server that cannot be used. */
@SuppressWarnings("serial")
public // never serialised
final class AppException extends CaliberException {

  private AppException(ErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  /** Returns the error that the server of the store reported. */
  static AppException serverError(CaliberClientException problem) {
    AppException error =
        new AppException(
            RemoteErrorCode.of(problem.code(), problem.status()),
            String.valueOf(problem.getMessage()),
            problem.advice().orElse(""));
    error.initCause(problem);
    return error;
  }

  public static AppException usage(String message, String advice) {
    return new AppException(AppErrorCode.USAGE, message, advice);
  }

  static AppException dataOptionNotSupported(Path data, String engine) {
    return new AppException(
        AppErrorCode.OPTION_NOT_APPLICABLE,
        "--data names the directory %s, but the configured engine is %s".formatted(data, engine),
        "Leave out --data, or set store.engine to \"sqlite\".");
  }

  static AppException fileNotFound(Path file) {
    return new AppException(
        AppErrorCode.FILE_NOT_FOUND, "No such file: " + file, "Check the path.");
  }

  public static AppException fileExists(Path file, String advice) {
    return new AppException(AppErrorCode.FILE_EXISTS, file + " already exists", advice);
  }

  public static AppException unreadable(Path file, String reason) {
    return new AppException(
        AppErrorCode.FILE_UNREADABLE,
        "Cannot read %s: %s".formatted(file, reason),
        "Check the file.");
  }

  static AppException readOnly(Path file) {
    return new AppException(
        AppErrorCode.FILE_DENIED,
        "%s is read-only; it was not changed".formatted(file),
        "Make it writable if it should be changed.");
  }

  public static AppException outputFailed() {
    return new AppException(
        AppErrorCode.OUTPUT_FAILED,
        "Writing to the standard output failed; the output is incomplete",
        "Check the free disk space and that the reading program still runs, then run the command"
            + " again.");
  }

  public static AppException noServer(Path log) {
    return new AppException(
        AppErrorCode.SERVER_UNAVAILABLE,
        "The server of this store did not start in time",
        "See %s for the reason; server.mcp.start-timeout sets how long a start may take."
            .formatted(log));
  }

  public static AppException certificateNotTrusted(URI server, SSLException reason) {
    return new AppException(
        AppErrorCode.SERVER_UNAVAILABLE,
        "Cannot connect to the server of this store, %s: its certificate is not trusted: %s"
            .formatted(server, reason.getMessage()),
        "Use --url with a host name of the certificate, and let Java trust its authority.");
  }

  static AppException noStore(Path directory) {
    return new AppException(
        AppErrorCode.STORE_NOT_FOUND,
        "No store in %s".formatted(directory),
        "Name the store's directory with --data, or create a store: 'caliber remember', 'caliber"
            + " serve' and 'caliber spaces create' do.");
  }

  static AppException storeHeldByServer(CaliberException inUse, URI address) {
    AppException error =
        new AppException(
            inUse.code(),
            "%s (server at %s)".formatted(inUse.message(), address),
            "This command needs exclusive access to the store. Stop that server first (kill, or"
                + " Ctrl-C in its terminal); no data is lost.");
    error.initCause(inUse);
    return error;
  }

  public static AppException conflictingOptions(String reason, String advice) {
    return new AppException(AppErrorCode.OPTION_NOT_APPLICABLE, reason, advice);
  }

  static AppException wordsOnlyNotSupported() {
    return conflictingOptions(
        "--lexical cannot be used while a server holds the store: it always searches by words and by"
            + " meaning",
        "Leave out --lexical: the server's model is already loaded. To search by words alone, stop"
            + " the server.");
  }

  public static AppException notLocked(Path directory) {
    return new AppException(
        AppErrorCode.PACK_NOT_LOCKED,
        "No cal.lock in %s".formatted(directory),
        "Check the pack and run 'caliber pack lock', or deploy it with --allow-unlocked.");
  }

  public static AppException noActivePack(SpaceId space) {
    return new AppException(
        AppErrorCode.NO_ACTIVE_PACK,
        "No pack is active in space '%s', so there is nothing to compare with".formatted(space),
        "Name two directories, or deploy a pack first.");
  }

  public static AppException interrupted() {
    return new AppException(
        AppErrorCode.INTERRUPTED, "The command was interrupted", "Run it again to finish.");
  }

  /** Converts an I/O error to an error with a code. */
  public static AppException of(IOException e) {
    String place = e instanceof FileSystemException file ? file.getFile() : "The file";
    return switch (e) {
      case NoSuchFileException _ ->
          new AppException(
              AppErrorCode.FILE_NOT_FOUND, place + " does not exist", "Check the path.");
      case FileAlreadyExistsException _ ->
          new AppException(
              AppErrorCode.FILE_EXISTS, place + " already exists", "Choose another name.");
      case AccessDeniedException _ ->
          new AppException(
              AppErrorCode.FILE_DENIED,
              place + ": access denied",
              "Give this user access, or choose another path.");
      case CharacterCodingException _ ->
          new AppException(
              AppErrorCode.FILE_UNREADABLE, "The file is not UTF-8 text", "Check the path.");
      default ->
          new AppException(
              AppErrorCode.FILE_UNREADABLE,
              "%s failed: %s".formatted(place, e.getMessage()),
              "Check the path and the free disk space.");
    };
  }
}
