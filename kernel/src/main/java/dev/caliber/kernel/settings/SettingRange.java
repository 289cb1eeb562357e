package dev.caliber.kernel.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Bounds of a number, a duration or a size, and the unit of a number: {@code 1 to 1000 rows},
 * {@code 10ms to 1h}. Each such component has one; the code works with every value within it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface SettingRange {
  String value();
}
