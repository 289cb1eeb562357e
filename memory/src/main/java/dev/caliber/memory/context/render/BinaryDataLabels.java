package dev.caliber.memory.context.render;

import dev.caliber.memory.record.TurnPart;

/** Labels that replace binary data in a window. */
final class BinaryDataLabels {
  private BinaryDataLabels() {}

  static String labelOf(TurnPart.DataPart dataPart) {
    return "[%s, %d bytes]".formatted(dataPart.mediaType(), dataPart.content().size());
  }
}
