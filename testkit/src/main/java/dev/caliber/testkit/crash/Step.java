package dev.caliber.testkit.crash;

import dev.caliber.store.Change;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.List;

/** One commit of one writer: 2 to 4 records in two tables, and sometimes a job. */
record Step(int writer, long counter, List<Write> writes, boolean job) {

  static final String JOB_KIND = "drill";

  Step {
    writes = List.copyOf(writes);
  }

  /** What happens to one record. A deletion's mark is the one that goes. */
  record Write(Table<Mark> table, Mark mark, ChangeKind kind) {}

  void apply(Transaction transaction) {
    for (Write write : writes) {
      switch (write.kind) {
        case CREATED -> transaction.insert(write.table, write.mark);
        case UPDATED -> transaction.update(write.table, write.mark.id(), _ -> write.mark);
        case DELETED -> requireDeleted(transaction, write);
      }
    }
    if (job) {
      Jobs.schedule(transaction, JobRequest.of(JOB_KIND, payload(), transaction.now()));
    }
  }

  private static void requireDeleted(Transaction transaction, Write write) {
    if (!transaction.delete(write.table, write.mark.id())) {
      throw new IllegalStateException("There is no %s to delete".formatted(write.mark.id()));
    }
  }

  String payload() {
    return "%d/%d".formatted(writer, counter);
  }

  /** What the feed must say about it, jobs left out: their ids are chance. */
  List<Change> changes() {
    return writes.stream()
        .map(write -> new Change(write.table.name(), write.mark.id(), write.kind))
        .toList();
  }
}
