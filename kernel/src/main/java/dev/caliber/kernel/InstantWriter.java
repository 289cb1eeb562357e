package dev.caliber.kernel;

import java.time.Instant;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Serializer that writes times as {@link Timestamps} does. */
final class InstantWriter extends StdScalarSerializer<Instant> {
  InstantWriter() {
    super(Instant.class);
  }

  @Override
  public void serialize(Instant value, JsonGenerator generator, SerializationContext context) {
    generator.writeString(Timestamps.format(value));
  }
}
