package dev.caliber.app;

import dev.caliber.client.CaliberProblem;
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

/** A command line that asks for something that cannot be. */
@SuppressWarnings("serial") // never serialised
final class AppException extends CaliberException {

  private AppException(ErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  /** What the server that holds the store has said. */
  static AppException remote(CaliberProblem problem) {
    AppException error =
        new AppException(
            RemoteCode.of(problem.code(), problem.status()),
            String.valueOf(problem.getMessage()),
            problem.advice().orElse(""));
    error.initCause(problem);
    return error;
  }

  static AppException usage(String message, String advice) {
    return new AppException(AppErrorCode.USAGE, message, advice);
  }

  static AppException dataDoesNotFit(Path data, String engine) {
    return new AppException(
        AppErrorCode.OPTION_DOES_NOT_FIT,
        "--data names the directory %s, but the configuration keeps its records in %s"
            .formatted(data, engine),
        "Leave out --data, or set store.engine to \"sqlite\".");
  }

  static AppException fileNotFound(Path file) {
    return new AppException(
        AppErrorCode.FILE_NOT_FOUND, "There is no file " + file, "Check the path.");
  }

  static AppException fileExists(Path file, String advice) {
    return new AppException(AppErrorCode.FILE_EXISTS, file + " is already there", advice);
  }

  static AppException unreadable(Path file, String reason) {
    return new AppException(
        AppErrorCode.FILE_UNREADABLE, "%s cannot be read: %s".formatted(file, reason), "Check it.");
  }

  static AppException readOnly(Path file) {
    return new AppException(
        AppErrorCode.FILE_DENIED,
        "%s is read-only; it was not touched".formatted(file),
        "Make it writable if it may change.");
  }

  static AppException outputFailed() {
    return new AppException(
        AppErrorCode.OUTPUT_FAILED,
        "The standard output did not take everything, so what it got is not complete",
        "Check the room on the disk, or that the reader goes on reading, and run it again.");
  }

  static AppException noServer(Path log) {
    return new AppException(
        AppErrorCode.NO_SERVER,
        "The server of this store did not start in time",
        "%s says why; server.mcp.start says how long it may take.".formatted(log));
  }

  static AppException notTrusted(URI server, SSLException reason) {
    return new AppException(
        AppErrorCode.NO_SERVER,
        "The server of this store, %s, is not trusted: %s".formatted(server, reason.getMessage()),
        "Call it with --url by a name of its certificate, whose authority Java has to trust.");
  }

  static AppException noStore(Path directory) {
    return new AppException(
        AppErrorCode.NO_STORE,
        "There is no store in %s yet".formatted(directory),
        "Name its directory with --data, or make one: 'caliber remember', 'caliber serve' and"
            + " 'caliber spaces create' do.");
  }

  static AppException served(CaliberException inUse, URI address) {
    AppException error =
        new AppException(
            inUse.code(),
            "%s, the server at %s".formatted(inUse.message(), address),
            "This command needs the store to itself: end that process first (kill, or Ctrl-C where it"
                + " runs); it loses nothing.");
    error.initCause(inUse);
    return error;
  }

  static AppException noSession(String name, SpaceId space) {
    return new AppException(
        AppErrorCode.NO_SESSION,
        "The space '%s' has no session '%s'".formatted(space, name),
        "Check the name; 'caliber remember --session NAME' begins one.");
  }

  static AppException optionsDoNotFit(String reason, String advice) {
    return new AppException(AppErrorCode.OPTION_DOES_NOT_FIT, reason, advice);
  }

  static AppException serverFindsByBoth() {
    return optionsDoNotFit(
        "--words: a server holds the store, and finds by words and by meaning",
        "Leave out --words: its model is loaded already. To find by words alone, end the server.");
  }

  static AppException notLocked(Path directory) {
    return new AppException(
        AppErrorCode.PACK_NOT_LOCKED,
        "wanted a cal.lock in %s, found none".formatted(directory),
        "Look at the pack and run 'caliber pack lock', or deploy it with --unlocked.");
  }

  static AppException noActivePack(SpaceId space) {
    return new AppException(
        AppErrorCode.NO_ACTIVE_PACK,
        "The space '%s' runs on no pack to compare with".formatted(space),
        "Name two directories, or deploy a pack first.");
  }

  static AppException interrupted() {
    return new AppException(
        AppErrorCode.INTERRUPTED, "The command was interrupted", "Run it again to finish.");
  }

  /** What the operating system said about a file, as a coded error. */
  static AppException of(IOException e) {
    String place = e instanceof FileSystemException file ? file.getFile() : "The file";
    return switch (e) {
      case NoSuchFileException _ ->
          new AppException(AppErrorCode.FILE_NOT_FOUND, place + " is not there", "Check the path.");
      case FileAlreadyExistsException _ ->
          new AppException(
              AppErrorCode.FILE_EXISTS, place + " is already there", "Choose another name.");
      case AccessDeniedException _ ->
          new AppException(
              AppErrorCode.FILE_DENIED,
              place + " may not be read or written by this user",
              "Give this user the right, or choose another place.");
      case CharacterCodingException _ ->
          new AppException(
              AppErrorCode.FILE_UNREADABLE, "The file is no UTF-8 text", "Check the path.");
      default ->
          new AppException(
              AppErrorCode.FILE_UNREADABLE,
              "%s failed: %s".formatted(place, e.getMessage()),
              "Check the path and the room on the disk.");
    };
  }
}
