package dev.caliber.memory.context;

/** A window and its text. */
public record Assembled(Window window, String text) {}
