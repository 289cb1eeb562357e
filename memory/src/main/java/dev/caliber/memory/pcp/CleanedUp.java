package dev.caliber.memory.pcp;

/** What a clean-up has ended and removed. */
public record CleanedUp(int trajectoriesFailed, int scopesClosed, long contextWindowsDeleted) {}
