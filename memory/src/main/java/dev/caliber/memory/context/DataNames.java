package dev.caliber.memory.context;

import dev.caliber.memory.record.Part;

/** Data that is no text is named, not shown. */
final class DataNames {
  private DataNames() {}

  static String of(Part.Data data) {
    return "[%s, %d bytes]".formatted(data.mediaType(), data.content().size());
  }
}
