package dev.caliber.store;

/** One record that a commit created, updated or deleted. */
public record RecordChange(String table, String key, ChangeKind kind) {}
