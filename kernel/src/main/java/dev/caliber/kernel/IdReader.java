package dev.caliber.kernel;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Deserializer that reads ids as {@link Id#parse} does. */
final class IdReader extends StdScalarDeserializer<Id> {
  IdReader() {
    super(Id.class);
  }

  @Override
  public Id deserialize(JsonParser parser, DeserializationContext context) {
    if (!parser.hasToken(JsonToken.VALUE_STRING)) {
      return (Id) context.handleUnexpectedToken(Id.class, parser);
    }
    try {
      return Id.parse(parser.getString());
    } catch (KernelException e) {
      throw context.instantiationException(
          Id.class, e); // the exception handler can state the reason
    }
  }
}
