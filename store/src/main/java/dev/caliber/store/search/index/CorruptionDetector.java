package dev.caliber.store.search.index;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;

/** Distinction between a damaged index, which is deleted, and failures that may be temporary. */
final class CorruptionDetector {

  private CorruptionDetector() {}

  static boolean isCorruption(Throwable failure) {
    return switch (failure) {
      case CorruptIndexException _,
          IndexFormatTooOldException _,
          IndexFormatTooNewException _,
          EOFException _,
          FileNotFoundException _,
          NoSuchFileException _ ->
          true;
      default -> failure.getCause() != null && isCorruption(failure.getCause());
    };
  }
}
