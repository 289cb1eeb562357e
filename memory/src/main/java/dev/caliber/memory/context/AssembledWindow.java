package dev.caliber.memory.context;

/** A window and its text. */
public record AssembledWindow(Window window, String text) {}
