package dev.caliber.store;

/** A record as it lies in the store, with the sequence of the commit that last wrote it. */
public record Row<T>(T record, long revision) {}
