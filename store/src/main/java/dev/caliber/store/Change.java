package dev.caliber.store;

/** One record that a commit touched. */
public record Change(String table, String key, ChangeKind kind) {}
