package dev.caliber.testkit.crash;

import dev.caliber.kernel.DataSize;
import dev.caliber.testkit.SystemCommand;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Disk whose power can be cut: ext4 in an image file, mounted through a loop device. Needs root.
 *
 * <p>What a cut proves: after it, nothing more of the mounted file system reaches the image.
 * Everything written but not flushed is lost, and so is the part of the file system's journal that
 * was not yet committed; the next mount replays the rest, as after a power cut. What it does not
 * prove: the image's own pages remain in this machine's memory, so a disk that loses data it has
 * confirmed as flushed is not simulated.
 */
final class LoopDisk implements AutoCloseable {

  private static final int UNMOUNT_ATTEMPTS_BOUND = 200;
  private static final long UNMOUNT_PAUSE_BOUND_MILLIS = 50;

  private final Path home;
  private final Path image;
  private final Path mount;
  private boolean mounted;

  private LoopDisk(Path home) {
    this.home = home;
    this.image = home.resolve("disk.img");
    this.mount = home.resolve("disk");
  }

  static LoopDisk create(DataSize size) {
    try {
      Path home = Files.createTempDirectory("caliber-disk");
      // A server that runs as another user must be able to enter it.
      Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
      LoopDisk disk = new LoopDisk(home);
      Files.createDirectory(disk.mount);
      try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
        file.setLength(size.bytes());
      }
      SystemCommand.run(List.of("mkfs.ext4", "-q", "-F", disk.image.toString()));
      disk.mount();
      return disk;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path directory() {
    return mount;
  }

  void cutPower() {
    Ext4Shutdown.shutDown(mount);
  }

  /** Mounts the disk again after a cut; all processes that had it open must have ended. */
  void remount() {
    unmount();
    mount();
  }

  private void mount() {
    SystemCommand.run(List.of("mount", "-o", "loop", image.toString(), mount.toString()));
    mounted = true;
  }

  /** Unmounts with retries: the kernel may still be releasing the files of ended processes. */
  private void unmount() {
    for (int attempt = 1; mounted; attempt++) {
      try {
        SystemCommand.run(List.of("umount", mount.toString()));
        mounted = false;
      } catch (IllegalStateException e) {
        if (attempt == UNMOUNT_ATTEMPTS_BOUND) {
          SystemCommand.run(List.of("umount", "--lazy", mount.toString()));
          mounted = false;
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(UNMOUNT_PAUSE_BOUND_MILLIS));
      }
    }
  }

  @Override
  public void close() {
    unmount();
    try {
      Files.delete(image);
      Files.delete(mount);
      Files.delete(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
