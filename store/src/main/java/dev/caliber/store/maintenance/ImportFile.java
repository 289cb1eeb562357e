package dev.caliber.store.maintenance;

import dev.caliber.kernel.FieldHash;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.SQLException;
import tools.jackson.databind.node.ObjectNode;

/** Export file that is read from its header to its footer, several times if needed. */
final class ImportFile {

  /** Bytes allowed for the rest of a line beside the body and the binaries: names, key, numbers. */
  private static final long LINE_OVERHEAD = 1 << 16;

  /**
   * Factor on the record limit: Base64 takes four bytes for three, so twice the limit holds the
   * largest record.
   */
  private static final int LINE_FACTOR = 2;

  private final Path file;
  private final ImportParser parser;
  private final long lineBound;

  ImportFile(Path file, DeclaredTables declaredTables, StoreConfig.WriteSettings limits) {
    this.file = file;
    this.parser = new ImportParser(declaredTables, limits.recordLimit());
    this.lineBound = LINE_FACTOR * limits.recordLimit().bytes() + LINE_OVERHEAD;
  }

  /** Receiver of each record's line and its place in the file. */
  interface ImportLineVisitor {
    void visit(String place, ImportLine<?> line) throws SQLException;
  }

  /** Reads the whole file; returns its checksum. */
  String read(String phase, ProgressListener progressListener, ImportLineVisitor importLineVisitor)
      throws SQLException {
    if (!Files.exists(file)) {
      throw StoreException.importRefused(
          file.toString(), "there is no such file", "Check the path.");
    }
    if (Files.isDirectory(file)) {
      throw StoreException.importRefused(
          file.toString(), "the path is a directory, not a file", "Name the export's file.");
    }
    try (LineReader lines = new LineReader(Files.newInputStream(file), lineBound)) {
      return new ImportFilePass(lines, Files.size(file), phase, progressListener)
          .run(importLineVisitor);
    } catch (IOException e) {
      throw StoreException.importRefused(
          file.toString(),
          "the file cannot be read (%s)".formatted(e.getClass().getSimpleName()),
          "Give this user the right to read the file.");
    }
  }

  /** One pass over the file. */
  private final class ImportFilePass {

    private final LineReader lines;
    private final long size;
    private final String phase;
    private final ProgressListener progressListener;
    private final MessageDigest digest = FieldHash.sha256();
    private long records;

    ImportFilePass(LineReader lines, long size, String phase, ProgressListener progressListener) {
      this.lines = lines;
      this.size = size;
      this.phase = phase;
      this.progressListener = progressListener;
    }

    String run(ImportLineVisitor importLineVisitor) throws IOException, SQLException {
      if (size == 0) {
        throw StoreException.importRefused(
            file + ":1",
            "the file is empty",
            "Export again; the export wrote nothing to this file.");
      }
      byte[] first = readLine();
      checkHeader(ImportParser.parseObject(place(), first));
      updateDigest(first);
      while (true) {
        byte[] line = readLine();
        ObjectNode object = ImportParser.parseObject(place(), line);
        if (object.has(ExportFormatV1.END)) {
          return checkFooter(object);
        }
        importLineVisitor.visit(place(), parser.parseRecord(place(), line, object));
        updateDigest(line);
        records++;
        progressListener.onProgress(phase, lines.bytesRead(), size);
      }
    }

    private byte[] readLine() throws IOException {
      try {
        byte[] line = lines.nextLine();
        if (line == null) {
          throw StoreException.importRefused(
              file + ":" + (lines.lineNumber() + 1),
              "the file ends before its last line: it was cut off",
              "Export again, or copy the exported file again.");
        }
        return line;
      } catch (LineReader.LineTooLongException e) {
        throw StoreException.importRefused(
            place(),
            String.valueOf(e.getMessage()),
            "Import a file that 'caliber export' has written; if the file is one, raise store.writes.record-limit.");
      }
    }

    private void updateDigest(byte[] line) {
      digest.update(line);
      digest.update((byte) '\n');
    }

    private void checkHeader(ObjectNode header) {
      if (!header.path(ExportFormatV1.CALIBER).asString("").equals(ExportFormatV1.NAME)) {
        throw StoreException.importRefused(
            place(),
            "this is not the header of an export",
            "Import a file that 'caliber export' has written.");
      }
      long format =
          ImportParser.wholeNumber(place(), header, ExportFormatV1.FORMAT, 1, Integer.MAX_VALUE);
      if (format > ExportFormatV1.VERSION) {
        throw StoreException.importRefused(
            place(),
            "a newer version wrote the file: its format is %d, and this version knows formats up to %d"
                .formatted(format, ExportFormatV1.VERSION),
            "Import the file with the newer version.");
      }
    }

    private String checkFooter(ObjectNode footer) throws IOException {
      String place = place();
      long said =
          ImportParser.wholeNumber(place, footer, ExportFormatV1.RECORDS, 0, Long.MAX_VALUE);
      if (said != records) {
        throw StoreException.importRefused(
            place,
            "the footer says %d records, the file holds %d".formatted(said, records),
            "Export again, or copy the exported file again.");
      }
      String sha256 = FieldHash.hex(digest.digest());
      if (!ImportParser.text(place, footer, ExportFormatV1.SHA256).equals(sha256)) {
        throw StoreException.importRefused(
            place,
            "the file's checksum is not the one in its footer",
            "The file was changed or damaged: export again, or copy the exported file again.");
      }
      if (lines.nextLine() != null) {
        throw StoreException.importRefused(
            place(), "there is more text after the footer", "Import one export at a time.");
      }
      return sha256;
    }

    private String place() {
      return file + ":" + lines.lineNumber();
    }
  }
}
