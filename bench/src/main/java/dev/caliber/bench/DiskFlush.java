package dev.caliber.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What the disk itself can do: each worker writes 4 KiB after 4 KiB to a file of its own and
 * flushes after each. The files are filled beforehand, so that no flush has to record a new length;
 * a full file is written from its beginning again.
 */
final class DiskFlush implements Load, AutoCloseable {

  private static final int BLOCK = 4096;
  private static final long FILE_SIZE = 16L << 20;

  private static final class Target {
    final FileChannel channel;
    final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    long position;

    Target(FileChannel channel) {
      this.channel = channel;
    }
  }

  private final List<Target> targets = new ArrayList<>();

  DiskFlush(Path directory, int workers) {
    try {
      for (int i = 0; i < workers; i++) {
        FileChannel channel =
            FileChannel.open(
                directory.resolve("flush-" + i),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        targets.add(new Target(channel));
        fill(channel);
      }
    } catch (IOException e) {
      throw BenchException.preparing("Preparing files to flush", e);
    }
  }

  private static void fill(FileChannel channel) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long position = 0; position < FILE_SIZE; position += zeros.capacity()) {
      channel.write(zeros.clear(), position);
    }
    channel.force(true);
  }

  @Override
  public void run(int worker) {
    Target target = targets.get(worker);
    try {
      target.block.clear();
      target.block.putLong(0, Stopwatch.nanos());
      target.channel.write(target.block, target.position);
      target.channel.force(false);
      target.position = (target.position + BLOCK) % FILE_SIZE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    for (Target target : targets) {
      try {
        target.channel.close();
      } catch (IOException e) {
        throw BenchException.preparing("Closing a flushed file", e);
      }
    }
  }
}
