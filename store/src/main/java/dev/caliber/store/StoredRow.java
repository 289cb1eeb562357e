package dev.caliber.store;

/** Whole row as maintenance reads it: its place, its body, and its stored checksum. */
record StoredRow(String space, String key, StoredBody body, long crc) {}
