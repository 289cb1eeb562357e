package dev.caliber.testkit.crash;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.Durability;
import dev.caliber.testkit.PostgresServer;
import java.nio.file.Path;

/** A store and the way in which it is hit. */
sealed interface CrashSite extends AutoCloseable {

  DataSize DISK = DataSize.parse("768MiB");

  DrillTarget target();

  /** Hits; afterwards the writers are dead. */
  DrillProcess.Heard strike(DrillProcess writers);

  /** Whether the writers outlive the blow, so that what they are told has to be clear. */
  boolean leavesWriters();

  /** Brings back what the store needs, as an operator would. */
  void recover();

  @Override
  void close();

  /** The writing process is killed; whatever it writes to goes on. */
  record KilledClient(DrillTarget target) implements CrashSite {
    @Override
    public DrillProcess.Heard strike(DrillProcess writers) {
      return writers.kill();
    }

    @Override
    public boolean leavesWriters() {
      return true;
    }

    @Override
    public void recover() {
      // Nothing but the writers has gone.
    }

    @Override
    public void close() {
      // The place belongs to the caller.
    }
  }

  /** The server crashes and comes back under writers that live on. */
  record CrashedServer(DrillTarget target, PostgresServer server) implements CrashSite {
    @Override
    public DrillProcess.Heard strike(DrillProcess writers) {
      server.down(PostgresServer.Stop.IMMEDIATE);
      server.up();
      int before = writers.acknowledgements();
      writers.goOn();
      writers.awaitEveryWriter(before);
      return writers.kill();
    }

    @Override
    public boolean leavesWriters() {
      return true;
    }

    @Override
    public void recover() {
      // It is up again.
    }

    @Override
    public void close() {
      // The server belongs to the caller.
    }
  }

  /** The power fails under a SQLite store. */
  record DarkSqlite(DrillTarget target, LoopDisk disk) implements CrashSite {
    static DarkSqlite make(Durability durability, long seed) {
      LoopDisk disk = LoopDisk.make(DISK);
      Path directory = disk.directory().resolve("store");
      return new DarkSqlite(DrillTarget.sqlite(directory, durability, seed), disk);
    }

    @Override
    public DrillProcess.Heard strike(DrillProcess writers) {
      disk.cutPower();
      return writers.kill();
    }

    @Override
    public boolean leavesWriters() {
      return false;
    }

    @Override
    public void recover() {
      disk.remount();
    }

    @Override
    public void close() {
      disk.close();
    }
  }

  /** The power fails under a PostgreSQL server. */
  record DarkPostgres(DrillTarget target, LoopDisk disk, PostgresServer server)
      implements CrashSite {

    static DarkPostgres make(Durability durability, long seed) {
      LoopDisk disk = LoopDisk.make(DISK);
      try {
        PostgresServer server = PostgresServer.startIn(disk.directory().resolve("server"));
        DrillTarget target = DrillTarget.postgres(server.url(), durability, seed);
        return new DarkPostgres(target, disk, server);
      } catch (RuntimeException e) {
        disk.close();
        throw e;
      }
    }

    @Override
    public DrillProcess.Heard strike(DrillProcess writers) {
      disk.cutPower();
      DrillProcess.Heard heard = writers.kill();
      server.kill();
      return heard;
    }

    @Override
    public boolean leavesWriters() {
      return false;
    }

    @Override
    public void recover() {
      disk.remount();
      server.up();
    }

    @Override
    public void close() {
      try {
        server.kill();
      } finally {
        disk.close();
      }
    }
  }
}
