package dev.caliber.kernel;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes ids as their text, without asking by reflection which method that is. */
final class IdWriter extends StdScalarSerializer<Id> {
  IdWriter() {
    super(Id.class);
  }

  @Override
  public void serialize(Id value, JsonGenerator generator, SerializationContext context) {
    generator.writeString(value.toString());
  }
}
