package dev.caliber.store;

/** Stored record with the sequence of the commit that last wrote it. */
public record Row<T>(T record, long revision) {}
