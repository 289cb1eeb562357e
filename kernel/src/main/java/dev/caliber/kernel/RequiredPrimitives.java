package dev.caliber.kernel;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * Introspector that makes a primitive component required: without a value it would silently be 0 or
 * false.
 */
@SuppressWarnings("serial") // never serialised
final class RequiredPrimitives extends JacksonAnnotationIntrospector {
  @Override
  public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
    Boolean marked = super.hasRequiredMarker(config, member);
    if (marked != null) {
      return marked;
    }
    boolean primitive = member instanceof AnnotatedParameter && member.getRawType().isPrimitive();
    return primitive ? Boolean.TRUE : null;
  }
}
