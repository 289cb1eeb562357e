package dev.caliber.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.module.SimpleValueInstantiators;

/**
 * Instantiator that calls a record's constructor by a handle adapted to an argument array once;
 * Jackson's own way adapts it anew for every record that is read.
 */
final class RecordInstantiator extends StdValueInstantiator {
  private static final MethodType MADE_OF_ARRAY =
      MethodType.methodType(Object.class, Object[].class);

  private final MethodHandle constructor;

  private RecordInstantiator(StdValueInstantiator plain, MethodHandle constructor) {
    super(plain);
    this.constructor = constructor;
  }

  /** Provider of instantiators for records; other types keep their own. */
  static final class RecordInstantiators extends SimpleValueInstantiators {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueInstantiator modifyValueInstantiator(
        DeserializationConfig config, BeanDescription.Supplier type, ValueInstantiator found) {
      return type.getBeanClass().isRecord()
              && found instanceof StdValueInstantiator plain
              && plain.getWithArgsCreator() instanceof AnnotatedConstructor creator
          ? new RecordInstantiator(plain, adaptedConstructor(creator.getAnnotated()))
          : found;
    }
  }

  private static MethodHandle adaptedConstructor(Constructor<?> constructor) {
    try {
      constructor.setAccessible(true); // package-private records are read, too
      return MethodHandles.lookup()
          .unreflectConstructor(constructor)
          .asSpreader(Object[].class, constructor.getParameterCount())
          .asType(MADE_OF_ARRAY);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("A constructor that was made accessible is not", e);
    }
  }

  @Override
  public Object createFromObjectWith(DeserializationContext context, Object[] arguments) {
    try {
      return (Object) constructor.invokeExact(arguments);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) { // a constructor may throw anything, and Jackson adds the place
      return context.handleInstantiationProblem(
          _valueClass, arguments, rewrapCtorProblem(context, e));
    }
  }
}
