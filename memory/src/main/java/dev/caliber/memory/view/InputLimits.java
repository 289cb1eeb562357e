package dev.caliber.memory.view;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.store.Table;
import java.util.List;

/** Checks of input against {@code memory.limits}. */
public final class InputLimits {
  private final MemoryConfig.MemoryLimits memoryLimits;

  public InputLimits(MemoryConfig.MemoryLimits memoryLimits) {
    this.memoryLimits = memoryLimits;
  }

  public void check(StartTrajectory command) {
    checkText(command.goal());
    checkText(command.initiator().id());
    command.tags().forEach(this::checkText);
    checkCount("metadata", command.tags().size(), memoryLimits.metadata());
    checkLabels(command.labels());
  }

  public void check(List<NewTurn> turns) {
    checkCount("batch", turns.size(), memoryLimits.batch());
    turns.forEach(this::check);
  }

  public void check(NewArtifact command) {
    checkSize("artifact", memoryLimits.artifact(), command.content().size());
    checkCount("batch", command.provenance().sources().size(), memoryLimits.batch());
    checkLabels(command.labels());
  }

  public void check(CreateArtifacts command) {
    checkCount("batch", command.artifacts().size(), memoryLimits.batch());
    command.artifacts().forEach(this::check);
  }

  public void check(WriteNote command) {
    checkSize("note", memoryLimits.note(), TextChecks.utf8Length(command.content()));
    checkText(command.entity());
    checkText(command.entityType());
    checkCount("batch", command.sources().size(), memoryLimits.batch());
    checkLabels(command.labels());
    checkIndexedTexts(command);
  }

  public void check(NewNote memory) {
    checkSize("note", memoryLimits.note(), TextChecks.utf8Length(memory.text()));
  }

  public void check(EndTrajectory command) {
    checkSize("note", memoryLimits.note(), TextChecks.utf8Length(command.summary()));
  }

  public void check(ForgetRecords command) {
    checkText(command.reason());
    command.filter().ifPresent(this::check);
  }

  /** Limits query texts to the length that a record's own texts may have. */
  public void check(RecallQuery query) {
    checkText("query", query.text());
    checkLimit("subjects", "page-size", query.visible().subjects().size(), memoryLimits.pageSize());
    query.visible().subjects().forEach(subject -> checkText("subject", subject));
    check(query.filter());
  }

  private void check(RecallFilter filter) {
    filter.subject().ifPresent(subject -> checkText("subject", subject));
    filter.externalId().ifPresent(id -> checkText("external_id", id));
    filter.entity().ifPresent(entity -> checkText("about", entity));
    checkLimit("metadata", "metadata", filter.metadata().size(), memoryLimits.metadata());
    filter.metadata().forEach((key, value) -> checkText("metadata", key + value));
  }

  private void checkText(String field, String text) {
    checkLimit(field, "text", TextChecks.utf8Length(text), memoryLimits.text().bytes());
  }

  private static void checkLimit(String field, String limit, long found, long most) {
    new Limit("memory.limits." + limit, most).requireWithin(field, found);
  }

  private void check(NewTurn turn) {
    turn.model().ifPresent(this::checkText);
    turn.parts().forEach(this::check);
    checkCount("parts", turn.parts().size(), memoryLimits.parts());
    checkSize(
        "turn", memoryLimits.turn(), turn.parts().stream().mapToLong(TurnPart::byteSize).sum());
    checkLabels(turn.labels());
  }

  private void check(TurnPart turnPart) {
    switch (turnPart) {
      case TurnPart.ToolCallPart(var call, var tool, _) -> checkText(call + tool);
      case TurnPart.ToolResultPart(var call, _, _) -> checkText(call);
      case TurnPart.DataPart(var mediaType, _) -> checkText(mediaType);
      case TurnPart.TextPart _ -> {}
    }
  }

  /** Merges labels and checks the result against the limits of one record. */
  public Labels mergeLabels(Labels labels, Labels later) {
    Labels all = labels.mergedWith(later);
    if (!all.equals(labels)) {
      checkLabels(all);
    }
    return all;
  }

  private void checkLabels(Labels labels) {
    checkCount("metadata", labels.metadata().size(), memoryLimits.metadata());
    labels.subject().ifPresent(this::checkText);
    labels.externalId().ifPresent(this::checkText);
    labels.metadata().forEach((key, value) -> checkText(key + value));
  }

  /** Checks the texts that share an index; a note with longer ones cannot be stored. */
  private static void checkIndexedTexts(WriteNote command) {
    String texts =
        command.entity()
            + command.entityType()
            + command.type().name()
            + command.labels().subject().orElse("");
    new Limit("entity, entity type and subject of a note", Table.INDEXED_TEXTS_BOUND)
        .requireWithin(TextChecks.utf8Length(texts));
  }

  private void checkText(String text) {
    checkSize("text", memoryLimits.text(), TextChecks.utf8Length(text));
  }

  private static void checkSize(String name, DataSize limit, long found) {
    new Limit("memory.limits." + name, limit.bytes()).requireWithin(found);
  }

  private static void checkCount(String name, int found, int limit) {
    new Limit("memory.limits." + name, limit).requireWithin(found);
  }
}
