package dev.caliber.testkit.crash;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.Durability;
import dev.caliber.testkit.PostgresServer;
import java.nio.file.Path;

/** Store and the way in which it is crashed. */
sealed interface CrashScenario extends AutoCloseable {

  DataSize DISK = DataSize.parse("768MiB");

  DrillTarget target();

  /** Crashes the store; afterwards the writers are dead. */
  DrillProcess.DrillProcessReport crash(DrillProcess writers);

  /** Returns whether the writers survive the crash, so that their errors have to be clear. */
  boolean keepsWritersAlive();

  /** Restores what the store needs, as an operator would. */
  void recover();

  @Override
  void close();

  /** Kill of the writing process; the store's server keeps running. */
  record ClientKill(DrillTarget target) implements CrashScenario {
    @Override
    public DrillProcess.DrillProcessReport crash(DrillProcess writers) {
      return writers.kill();
    }

    @Override
    public boolean keepsWritersAlive() {
      return true;
    }

    @Override
    public void recover() {
      // Only the writers are gone.
    }

    @Override
    public void close() {
      // The location belongs to the caller.
    }
  }

  /** Crash and restart of the server under writers that keep running. */
  record ServerCrash(DrillTarget target, PostgresServer server) implements CrashScenario {
    @Override
    public DrillProcess.DrillProcessReport crash(DrillProcess writers) {
      server.shutDown(PostgresServer.ShutdownMode.IMMEDIATE);
      server.bringUp();
      int before = writers.acknowledgements();
      writers.retryFailedCommits();
      writers.awaitEveryWriter(before);
      return writers.kill();
    }

    @Override
    public boolean keepsWritersAlive() {
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

  /** Power failure under a SQLite store. */
  record SqlitePowerCut(DrillTarget target, LoopDisk disk) implements CrashScenario {
    static SqlitePowerCut create(Durability durability, long seed) {
      LoopDisk disk = LoopDisk.create(DISK);
      Path directory = disk.directory().resolve("store");
      return new SqlitePowerCut(DrillTarget.sqlite(directory, durability, seed), disk);
    }

    @Override
    public DrillProcess.DrillProcessReport crash(DrillProcess writers) {
      int before = writers.acknowledgements();
      disk.cutPower();
      return writers.kill().withAcknowledgementsUntil(before);
    }

    @Override
    public boolean keepsWritersAlive() {
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

  /** Power failure under a PostgreSQL server. */
  record PostgresPowerCut(DrillTarget target, LoopDisk disk, PostgresServer server)
      implements CrashScenario {

    static PostgresPowerCut create(Durability durability, long seed) {
      LoopDisk disk = LoopDisk.create(DISK);
      try {
        PostgresServer server = PostgresServer.startIn(disk.directory().resolve("server"));
        DrillTarget target = DrillTarget.postgres(server.url(), durability, seed);
        return new PostgresPowerCut(target, disk, server);
      } catch (RuntimeException e) {
        disk.close();
        throw e;
      }
    }

    @Override
    public DrillProcess.DrillProcessReport crash(DrillProcess writers) {
      int before = writers.acknowledgements();
      disk.cutPower();
      DrillProcess.DrillProcessReport drillProcessReport = writers.kill();
      server.kill();
      return drillProcessReport.withAcknowledgementsUntil(before);
    }

    @Override
    public boolean keepsWritersAlive() {
      return false;
    }

    @Override
    public void recover() {
      disk.remount();
      server.bringUp();
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
