package dev.caliber.store.maintenance;

import java.util.List;

/**
 * Result of an export.
 *
 * @param sha256 of every byte before the last line, which repeats it
 * @param leftOut tables with records that this process has not declared and so cannot export
 */
public record ExportReport(long records, String sha256, List<String> leftOut) {

  public ExportReport {
    leftOut = List.copyOf(leftOut);
  }
}
