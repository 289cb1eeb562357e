package dev.caliber.store.maintenance;

/** Number of spaces and records that a restore has written. */
public record RestoreReport(long spaces, long records) {}
