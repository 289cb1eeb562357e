package dev.caliber.kernel.settings;

/**
 * What a room has declared about a setting by reading it.
 *
 * @param key the full dotted name
 * @param type such as {@code duration}
 * @param range what the value may be, as text; empty for any
 * @param unit what a number counts; empty where the type says it, or nothing is counted
 */
public record Declaration(String key, String type, String range, String unit) {}
