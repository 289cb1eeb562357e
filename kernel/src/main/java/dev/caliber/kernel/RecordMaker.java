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
 * Calls the constructor of a record by a handle that was fitted to an array of arguments once;
 * Jackson's own way fits it anew for every record that is read.
 */
final class RecordMaker extends StdValueInstantiator {
  private static final MethodType MADE_OF_ARRAY =
      MethodType.methodType(Object.class, Object[].class);

  private final MethodHandle constructor;

  private RecordMaker(StdValueInstantiator plain, MethodHandle constructor) {
    super(plain);
    this.constructor = constructor;
  }

  /** Gives records their makers; everything else is made as it was. */
  static final class Makers extends SimpleValueInstantiators {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueInstantiator modifyValueInstantiator(
        DeserializationConfig config, BeanDescription.Supplier type, ValueInstantiator found) {
      return type.getBeanClass().isRecord()
              && found instanceof StdValueInstantiator plain
              && plain.getWithArgsCreator() instanceof AnnotatedConstructor creator
          ? new RecordMaker(plain, fitted(creator.getAnnotated()))
          : found;
    }
  }

  private static MethodHandle fitted(Constructor<?> constructor) {
    try {
      constructor.setAccessible(true); // records of a package's own are read, too
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
    } catch (Throwable e) { // a constructor may throw anything, and Jackson says where
      return context.handleInstantiationProblem(
          _valueClass, arguments, rewrapCtorProblem(context, e));
    }
  }
}
