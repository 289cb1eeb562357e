package dev.caliber.store;

import java.nio.file.Path;

/** What a backup wrote. */
public record BackupReport(Path file, long records, long bytes) {}
