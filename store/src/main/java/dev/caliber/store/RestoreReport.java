package dev.caliber.store;

/** What a restore brought in. */
public record RestoreReport(long spaces, long records) {}
