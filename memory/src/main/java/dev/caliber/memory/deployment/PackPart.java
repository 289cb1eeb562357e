package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/** A piece of what a pack holds. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PackPart(Id configId, Content content, int number, byte[] bytes) {
  static final Table<PackPart> TABLE =
      Table.of("dsl_pack_part", "Pieces of packs", PackPart.class, PackPart::key)
          .text("config_id", part -> part.configId().toString())
          .text("content", part -> part.content().name())
          .integer("number", PackPart::number)
          .bytes("bytes", PackPart::bytes)
          .index("config_id", "content", "number");

  /** What a piece is a piece of. */
  enum Content {
    FILES,
    IR
  }

  static String key(Id configId, Content content, int number) {
    return configId + "/" + content + "/" + number;
  }

  private String key() {
    return key(configId, content, number);
  }
}
