package dev.caliber.kernel;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Serializer that writes ids as their text, without a reflective search for the method that returns
 * it.
 */
final class IdWriter extends StdScalarSerializer<Id> {
  IdWriter() {
    super(Id.class);
  }

  @Override
  public void serialize(Id value, JsonGenerator generator, SerializationContext context) {
    generator.writeString(value.toString());
  }
}
