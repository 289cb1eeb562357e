package dev.caliber.memory.context;

import dev.caliber.memory.context.window.Window;

/** A window and its text. */
public record AssembledWindow(Window window, String text) {}
