package dev.caliber.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Mark on one of the few places that may use the system clock, random source or threads. All other
 * code gets them through its constructor, so that a seed replays the system; the build refuses
 * direct use in unmarked code.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface SystemAccess {
  /** Returns the reason why this place needs direct access. */
  String value();
}
