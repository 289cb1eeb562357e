package dev.caliber.testkit.crash;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** System call that stops an ext4 file system at once, dropping what is not on its disk. */
@SuppressWarnings("restricted") // native calls are the purpose of this class
final class Ext4Shutdown {

  private static final int READ_ONLY = 0;

  /** {@code EXT4_IOC_SHUTDOWN}, {@code _IOR('X', 125, __u32)}. */
  private static final long REQUEST = 0x8004587DL;

  /** {@code EXT4_GOING_FLAGS_NOLOGFLUSH}: neither data nor journal is written out. */
  private static final int WITHOUT_LOG_FLUSH = 2;

  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle OPEN =
      bindFunction(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          2);

  private static final MethodHandle IOCTL =
      bindFunction(
          "ioctl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          2);

  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Ext4Shutdown() {}

  private static MethodHandle bindFunction(String name, FunctionDescriptor descriptor, int fixed) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        descriptor,
        Linker.Option.firstVariadicArg(fixed));
  }

  static void shutDown(Path mount) {
    try (Arena arena = Arena.ofConfined()) {
      int file = (int) OPEN.invokeExact(arena.allocateFrom(mount.toString()), READ_ONLY);
      if (file < 0) {
        throw new IllegalStateException("Cannot open " + mount);
      }
      MemorySegment flags = arena.allocateFrom(ValueLayout.JAVA_INT, WITHOUT_LOG_FLUSH);
      int answer = (int) IOCTL.invokeExact(file, REQUEST, flags);
      int closed = (int) CLOSE.invokeExact(file);
      if (answer != 0 || closed != 0) {
        throw new IllegalStateException(
            "%s is no ext4 file system that this user may stop".formatted(mount));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("The system call failed on " + mount, e);
    }
  }
}
