package dev.caliber.kernel.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Key of a record component, relative to the table of its record, where it is not the component's
 * name in kebab-case. The empty key puts the settings of a nested record, or of a map by the
 * constants of an enum, into the table of its record.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface SettingKey {
  String value();
}
