package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.util.List;

/**
 * Pack that a version was composed from. The bytes of its files, one after the other, and its typed
 * form are stored in parts, because a pack may be larger than a record.
 *
 * @param files in the order of their paths, which is the order of their bytes
 * @param tools the tools and their permissions, as JSON
 */
public record StoredPack(
    Id configId, List<PackFile> files, String tools, int fileParts, int irParts) {
  static final Table<StoredPack> TABLE =
      Table.of(
              "dsl_pack",
              "Packs that configurations were composed from",
              StoredPack.class,
              StoredPack::configId)
          .integer("file_count", pack -> pack.files().size())
          .integer("bytes", StoredPack::bytes);

  /** File of a pack. */
  public record PackFile(String path, long bytes, String sha256) {}

  public StoredPack {
    files = List.copyOf(files);
  }

  /** Returns the length of all files together. */
  long bytes() {
    return files.stream().mapToLong(PackFile::bytes).sum();
  }
}
