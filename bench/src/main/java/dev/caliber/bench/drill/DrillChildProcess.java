package dev.caliber.bench.drill;

import dev.caliber.testkit.crash.KillableProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The worker process as its parent sees it: its reports so far. */
final class DrillChildProcess implements AutoCloseable {
  private final KillableProcess process;
  private final List<String> heard = new ArrayList<>();

  private DrillChildProcess(KillableProcess process) {
    this.process = process;
  }

  static DrillChildProcess start(MemoryDrillTarget place, Class<?> worker, HoldPoint point) {
    return new DrillChildProcess(
        KillableProcess.start(
            worker,
            DrillWorker.PREFIX,
            Stream.of(place.arguments(), point.arguments()).flatMap(List::stream).toList()));
  }

  /** Reads this number of reports, then kills at once, and returns all reports. */
  List<String> killAfter(int count) {
    return killWhen(() -> heard.size() >= count);
  }

  /** Kills when the worker stands at its hold point. */
  List<String> killAtHoldPoint() {
    return killWhen(() -> !heard.isEmpty() && heard.getLast().startsWith(DrillWorker.HELD));
  }

  private List<String> killWhen(BooleanSupplier due) {
    while (!due.getAsBoolean()) {
      heard.add(process.nextLine());
    }
    process.kill();
    for (Optional<String> line = process.readLine(); line.isPresent(); line = process.readLine()) {
      heard.add(line.get());
    }
    return List.copyOf(heard);
  }

  @Override
  public void close() {
    process.close();
  }
}
