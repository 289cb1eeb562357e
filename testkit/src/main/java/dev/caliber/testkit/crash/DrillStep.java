package dev.caliber.testkit.crash;

import dev.caliber.store.ChangeKind;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import java.util.List;

/** One commit of one writer: 2 to 4 records in two tables, and sometimes a job. */
record DrillStep(int writer, long counter, List<DrillWrite> writes, boolean job) {

  static final String JOB_KIND = "drill";

  DrillStep {
    writes = List.copyOf(writes);
  }

  /** Change of one record. For a deletion, the mark is the deleted record. */
  record DrillWrite(Table<DrillRecord> table, DrillRecord mark, ChangeKind kind) {}

  void apply(Transaction transaction) {
    for (DrillWrite drillWrite : writes) {
      switch (drillWrite.kind) {
        case CREATED -> transaction.insert(drillWrite.table, drillWrite.mark);
        case UPDATED ->
            transaction.update(drillWrite.table, drillWrite.mark.id(), _ -> drillWrite.mark);
        case DELETED -> requireDeleted(transaction, drillWrite);
      }
    }
    if (job) {
      Jobs.schedule(transaction, JobRequest.of(JOB_KIND, jobPayload(), transaction.now()));
    }
  }

  private static void requireDeleted(Transaction transaction, DrillWrite drillWrite) {
    if (!transaction.delete(drillWrite.table, drillWrite.mark.id())) {
      throw new IllegalStateException("There is no %s to delete".formatted(drillWrite.mark.id()));
    }
  }

  String jobPayload() {
    return "%d/%d".formatted(writer, counter);
  }

  /** Returns the entry expected in the feed, without jobs: their ids are random. */
  List<RecordChange> expectedChanges() {
    return writes.stream()
        .map(
            drillWrite ->
                new RecordChange(drillWrite.table.name(), drillWrite.mark.id(), drillWrite.kind))
        .toList();
  }
}
