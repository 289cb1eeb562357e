package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.memory.deployment.PackPart.Content;
import dev.caliber.memory.deployment.StoredPack.PackFile;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes packs in pieces, and puts them together again. */
final class PackParts {
  private PackParts() {}

  static void write(Transaction transaction, Id configId, PackContent pack) {
    byte[] files = joined(pack);
    byte[] ir = pack.ir().getBytes(StandardCharsets.UTF_8);
    transaction.insert(
        StoredPack.TABLE,
        new StoredPack(
            configId,
            index(pack),
            pack.tools(),
            PackPartFormat.parts(files.length),
            PackPartFormat.parts(ir.length)));
    write(transaction, configId, Content.FILES, files);
    write(transaction, configId, Content.IR, ir);
  }

  static PackContent read(Snapshot snapshot, StoredPack pack) {
    byte[] files = read(snapshot, pack.configId(), Content.FILES, pack.fileParts());
    byte[] ir = read(snapshot, pack.configId(), Content.IR, pack.irParts());
    return new PackContent(
        split(pack, files), pack.tools(), new String(ir, StandardCharsets.UTF_8));
  }

  private static void write(Transaction transaction, Id configId, Content content, byte[] bytes) {
    for (int number = 0; number < PackPartFormat.parts(bytes.length); number++) {
      int from = number * PackPartFormat.PART_BYTES;
      int to = Math.min(bytes.length, from + PackPartFormat.PART_BYTES);
      transaction.insert(
          PackPart.TABLE,
          new PackPart(configId, content, number, Arrays.copyOfRange(bytes, from, to)));
    }
  }

  private static byte[] read(Snapshot snapshot, Id configId, Content content, int parts) {
    var bytes = new ByteArrayOutputStream();
    for (int number = 0; number < parts; number++) {
      bytes.writeBytes(
          snapshot.get(PackPart.TABLE, PackPart.key(configId, content, number)).bytes());
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(PackContent pack) {
    var bytes = new ByteArrayOutputStream();
    pack.files().values().forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  private static List<PackFile> index(PackContent pack) {
    return pack.files().entrySet().stream()
        .map(file -> file(file.getKey(), file.getValue()))
        .toList();
  }

  private static PackFile file(String path, byte[] bytes) {
    return new PackFile(path, bytes.length, DeployConfig.sha256(bytes));
  }

  private static SortedMap<String, byte[]> split(StoredPack pack, byte[] bytes) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    int from = 0;
    for (PackFile file : pack.files()) {
      int to = from + (int) file.bytes();
      files.put(file.path(), Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return files;
  }
}
