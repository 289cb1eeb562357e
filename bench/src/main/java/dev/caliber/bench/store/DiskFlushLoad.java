package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Stopwatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Load on the disk itself: each worker writes blocks of 4 KiB to a file of its own and flushes
 * after each. The files are filled beforehand, so that no flush has to record a new length; a full
 * file is rewritten from its beginning.
 */
final class DiskFlushLoad implements Load, AutoCloseable {

  private static final int BLOCK = 4096;
  private static final long FILE_SIZE = 16L << 20;

  private static final class FlushFile {
    final FileChannel channel;
    final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    long position;

    FlushFile(FileChannel channel) {
      this.channel = channel;
    }
  }

  private final List<FlushFile> targets = new ArrayList<>();

  DiskFlushLoad(Path directory, int workers) {
    try {
      for (int i = 0; i < workers; i++) {
        FileChannel channel =
            FileChannel.open(
                directory.resolve("flush-" + i),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        targets.add(new FlushFile(channel));
        preallocate(channel);
      }
    } catch (IOException e) {
      throw BenchException.preparationFailed("Preparing files to flush", e);
    }
  }

  private static void preallocate(FileChannel channel) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long position = 0; position < FILE_SIZE; position += zeros.capacity()) {
      channel.write(zeros.clear(), position);
    }
    channel.force(true);
  }

  @Override
  public void run(int worker) {
    FlushFile flushFile = targets.get(worker);
    try {
      flushFile.block.clear();
      flushFile.block.putLong(0, Stopwatch.nanos());
      flushFile.channel.write(flushFile.block, flushFile.position);
      flushFile.channel.force(false);
      flushFile.position = (flushFile.position + BLOCK) % FILE_SIZE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    for (FlushFile flushFile : targets) {
      try {
        flushFile.channel.close();
      } catch (IOException e) {
        throw BenchException.preparationFailed("Closing a flushed file", e);
      }
    }
  }
}
