package dev.caliber.store;

/** A whole row as maintenance sees it: where it is, what it holds, and the checksum beside it. */
record StoredRow(String space, String key, StoredBody body, long crc) {}
