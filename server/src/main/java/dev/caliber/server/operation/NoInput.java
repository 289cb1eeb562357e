package dev.caliber.server.operation;

/** The input of an operation that takes none. */
public record NoInput() {}
