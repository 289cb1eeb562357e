package dev.caliber.kernel;

import java.time.Instant;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Deserializer that reads times as {@link Timestamps} does and refuses numbers. */
final class InstantReader extends StdScalarDeserializer<Instant> {
  InstantReader() {
    super(Instant.class);
  }

  @Override
  public Instant deserialize(JsonParser parser, DeserializationContext context) {
    if (!parser.hasToken(JsonToken.VALUE_STRING)) {
      return (Instant) context.handleUnexpectedToken(Instant.class, parser);
    }
    String text = parser.getString();
    try {
      return Timestamps.parse(text);
    } catch (KernelException e) {
      throw context.weirdStringException(text, Instant.class, e.message());
    }
  }
}
