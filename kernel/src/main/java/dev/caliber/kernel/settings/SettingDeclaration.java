package dev.caliber.kernel.settings;

/**
 * Declaration that a module makes of a setting by reading it.
 *
 * @param key the full dotted name
 * @param type such as {@code duration}
 * @param range the allowed values as text; empty for any
 * @param unit the unit of a number; empty where the type implies it, or there is none
 */
public record SettingDeclaration(String key, String type, String range, String unit) {}
