package dev.caliber.store.search;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;

/** Tells a damaged index, which is thrown away, from trouble that may pass. */
final class Damage {

  private Damage() {}

  static boolean is(Throwable failure) {
    return switch (failure) {
      case CorruptIndexException _,
          IndexFormatTooOldException _,
          IndexFormatTooNewException _,
          EOFException _,
          FileNotFoundException _,
          NoSuchFileException _ ->
          true;
      default -> failure.getCause() != null && is(failure.getCause());
    };
  }
}
