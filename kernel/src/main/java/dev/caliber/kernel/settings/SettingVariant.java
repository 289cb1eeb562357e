package dev.caliber.kernel.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Name by which a file selects a record of a sealed interface. The settings of every record are
 * read, so that the keys of a file do not depend on its selection.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SettingVariant {
  String value();

  /**
   * Returns the table of the record, beside the key that selects it; empty for the table itself.
   */
  String table() default "";
}
