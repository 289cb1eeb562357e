package dev.caliber.store.jdbc.sql;

/** Whole row as maintenance reads it: its place, its body, and its stored checksum. */
public record StoredRow(String space, String key, StoredBody body, long crc) {}
