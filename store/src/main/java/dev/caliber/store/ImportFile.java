package dev.caliber.store;

import dev.caliber.kernel.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.SQLException;
import tools.jackson.databind.node.ObjectNode;

/** An export that is read from its header to its footer, as often as needed. */
final class ImportFile {

  /** Around the body and the binaries of a line: names, key, numbers. */
  private static final long LINE_OVERHEAD = 1 << 16;

  /** Base64 takes four bytes for three, so twice the limit holds the largest record. */
  private static final int LINE_FACTOR = 2;

  private final Path file;
  private final ImportParser parser;
  private final long lineBound;

  ImportFile(Path file, Catalogue catalogue, StoreConfig.Writes limits) {
    this.file = file;
    this.parser = new ImportParser(catalogue, limits.recordLimit());
    this.lineBound = LINE_FACTOR * limits.recordLimit().bytes() + LINE_OVERHEAD;
  }

  /** Receives each record's line with its place. */
  interface Visitor {
    void visit(String place, ImportLine<?> line) throws SQLException;
  }

  /** Reads the whole file; returns its checksum. */
  String read(String phase, Progress progress, Visitor visitor) throws SQLException {
    if (!Files.exists(file)) {
      throw StoreException.importRefused(
          file.toString(), "there is no such file", "Check the path.");
    }
    if (Files.isDirectory(file)) {
      throw StoreException.importRefused(
          file.toString(), "it is a directory", "Name the export's file.");
    }
    try (LineReader lines = new LineReader(Files.newInputStream(file), lineBound)) {
      return new Reading(lines, Files.size(file), phase, progress).run(visitor);
    } catch (IOException e) {
      throw StoreException.importRefused(
          file.toString(),
          "it cannot be read (%s)".formatted(e.getClass().getSimpleName()),
          "Give this user the right to read it.");
    }
  }

  /** One pass over the file. */
  private final class Reading {

    private final LineReader lines;
    private final long size;
    private final String phase;
    private final Progress progress;
    private final MessageDigest digest = Hashing.sha256();
    private long records;

    Reading(LineReader lines, long size, String phase, Progress progress) {
      this.lines = lines;
      this.size = size;
      this.phase = phase;
      this.progress = progress;
    }

    String run(Visitor visitor) throws IOException, SQLException {
      if (size == 0) {
        throw StoreException.importRefused(
            file + ":1", "the file is empty", "Export again; nothing reached this file.");
      }
      byte[] first = line();
      checkHeader(ImportParser.object(place(), first));
      digest(first);
      while (true) {
        byte[] line = line();
        ObjectNode object = ImportParser.object(place(), line);
        if (object.has(ExportFormatV1.END)) {
          return checkFooter(object);
        }
        visitor.visit(place(), parser.parse(place(), line, object));
        digest(line);
        records++;
        progress.at(phase, lines.read(), size);
      }
    }

    private byte[] line() throws IOException {
      try {
        byte[] line = lines.next();
        if (line == null) {
          throw StoreException.importRefused(
              file + ":" + (lines.number() + 1),
              "the file ends before its last line: it was cut off",
              "Export or copy it again.");
        }
        return line;
      } catch (LineReader.TooLong e) {
        throw StoreException.importRefused(
            place(),
            String.valueOf(e.getMessage()),
            "Import an export; raise store.writes.record-limit if it is one.");
      }
    }

    private void digest(byte[] line) {
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
          ImportParser.whole(place(), header, ExportFormatV1.FORMAT, 1, Integer.MAX_VALUE);
      if (format > ExportFormatV1.VERSION) {
        throw StoreException.importRefused(
            place(),
            "a newer version wrote this: its format is %d, this one knows %d"
                .formatted(format, ExportFormatV1.VERSION),
            "Import with that version.");
      }
    }

    private String checkFooter(ObjectNode footer) throws IOException {
      String place = place();
      long said = ImportParser.whole(place, footer, ExportFormatV1.RECORDS, 0, Long.MAX_VALUE);
      if (said != records) {
        throw StoreException.importRefused(
            place,
            "the footer says %d records, the file holds %d".formatted(said, records),
            "Export or copy it again.");
      }
      String sha256 = Hashing.hex(digest.digest());
      if (!ImportParser.text(place, footer, ExportFormatV1.SHA256).equals(sha256)) {
        throw StoreException.importRefused(
            place,
            "the file's checksum is not the one in its footer",
            "It was changed or damaged: export or copy it again.");
      }
      if (lines.next() != null) {
        throw StoreException.importRefused(
            place(), "there is more behind the footer", "Import one export at a time.");
      }
      return sha256;
    }

    private String place() {
      return file + ":" + lines.number();
    }
  }
}
