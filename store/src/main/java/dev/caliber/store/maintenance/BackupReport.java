package dev.caliber.store.maintenance;

import java.nio.file.Path;

/** Result of a backup: its file, and the number of records and bytes written. */
public record BackupReport(Path file, long records, long bytes) {}
