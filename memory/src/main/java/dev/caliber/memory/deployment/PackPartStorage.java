package dev.caliber.memory.deployment;

import dev.caliber.kernel.Id;
import dev.caliber.memory.deployment.PackPart.PackPartContent;
import dev.caliber.memory.deployment.StoredPack.PackFile;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Storage that writes packs in parts and reads them back. */
final class PackPartStorage {
  private PackPartStorage() {}

  static void write(Transaction transaction, Id configId, PackContent pack) {
    byte[] files = joinFiles(pack);
    byte[] ir = pack.ir().getBytes(StandardCharsets.UTF_8);
    transaction.insert(
        StoredPack.TABLE,
        new StoredPack(
            configId,
            indexFiles(pack),
            pack.tools(),
            PackPartFormat.partCount(files.length),
            PackPartFormat.partCount(ir.length)));
    write(transaction, configId, PackPartContent.FILES, files);
    write(transaction, configId, PackPartContent.IR, ir);
  }

  static PackContent read(Snapshot snapshot, StoredPack pack) {
    byte[] files = read(snapshot, pack.configId(), PackPartContent.FILES, pack.fileParts());
    byte[] ir = read(snapshot, pack.configId(), PackPartContent.IR, pack.irParts());
    return new PackContent(
        splitFiles(pack, files), pack.tools(), new String(ir, StandardCharsets.UTF_8));
  }

  private static void write(
      Transaction transaction, Id configId, PackPartContent packPartContent, byte[] bytes) {
    for (int number = 0; number < PackPartFormat.partCount(bytes.length); number++) {
      int from = number * PackPartFormat.PART_BYTES;
      int to = Math.min(bytes.length, from + PackPartFormat.PART_BYTES);
      transaction.insert(
          PackPart.TABLE,
          new PackPart(configId, packPartContent, number, Arrays.copyOfRange(bytes, from, to)));
    }
  }

  private static byte[] read(
      Snapshot snapshot, Id configId, PackPartContent packPartContent, int parts) {
    var bytes = new ByteArrayOutputStream();
    for (int number = 0; number < parts; number++) {
      bytes.writeBytes(
          snapshot.get(PackPart.TABLE, PackPart.key(configId, packPartContent, number)).bytes());
    }
    return bytes.toByteArray();
  }

  private static byte[] joinFiles(PackContent pack) {
    var bytes = new ByteArrayOutputStream();
    pack.files().values().forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  private static List<PackFile> indexFiles(PackContent pack) {
    return pack.files().entrySet().stream()
        .map(file -> indexFile(file.getKey(), file.getValue()))
        .toList();
  }

  private static PackFile indexFile(String path, byte[] bytes) {
    return new PackFile(path, bytes.length, ConfigDeployment.sha256(bytes));
  }

  private static SortedMap<String, byte[]> splitFiles(StoredPack pack, byte[] bytes) {
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
