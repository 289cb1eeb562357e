package dev.caliber.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks one of the few places that may touch the system clock, chance or threads. Everything else
 * gets them through its constructor, so that a seed replays the system; the build refuses direct
 * use outside a seam.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Seam {
  /** Why this place has to be one. */
  String value();
}
