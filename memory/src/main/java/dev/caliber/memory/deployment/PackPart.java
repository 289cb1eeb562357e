package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/** Stored part of a pack. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PackPart(Id configId, PackPartContent content, int number, byte[] bytes) {
  static final Table<PackPart> TABLE =
      Table.of("dsl_pack_part", "Pieces of packs", PackPart.class, PackPart::key)
          .text("config_id", part -> part.configId().toString())
          .text("content", part -> part.content().name())
          .integer("number", PackPart::number)
          .bytes("bytes", PackPart::bytes)
          .index("config_id", "content", "number");

  /** Content that a part belongs to. */
  enum PackPartContent {
    FILES,
    IR
  }

  static String key(Id configId, PackPartContent packPartContent, int number) {
    return configId + "/" + packPartContent + "/" + number;
  }

  private String key() {
    return key(configId, content, number);
  }
}
