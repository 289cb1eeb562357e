package dev.caliber.memory;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.command.CreateArtifact;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Texts;
import java.util.List;

/** The written limits of what comes in. */
final class Guard {
  private final MemoryConfig.Limits limits;

  Guard(MemoryConfig.Limits limits) {
    this.limits = limits;
  }

  void check(StartTrajectory command) {
    text(command.goal());
    text(command.initiator().id());
    command.tags().forEach(this::text);
    count("metadata", command.tags().size(), limits.metadata());
    labels(command.labels());
  }

  void check(List<NewTurn> turns) {
    count("turns", turns.size(), limits.turns());
    turns.forEach(this::check);
  }

  void check(CreateArtifact command) {
    size("artifact", limits.artifact(), command.content().size());
    count("turns", command.provenance().sources().size(), limits.turns());
    labels(command.labels());
  }

  void check(CreateArtifacts command) {
    count("turns", command.artifacts().size(), limits.turns());
    command.artifacts().forEach(this::check);
  }

  void check(WriteNote command) {
    size("note", limits.note(), Texts.bytes(command.content()));
    text(command.entity());
    text(command.entityType());
    count("turns", command.sources().size(), limits.turns());
    labels(command.labels());
  }

  void check(Remember memory) {
    size("note", limits.note(), Texts.bytes(memory.text()));
  }

  void check(EndTrajectory command) {
    size("note", limits.note(), Texts.bytes(command.summary()));
  }

  void check(Forget command) {
    text(command.reason());
    command.filter().ifPresent(this::check);
  }

  /** What is compared with every record is no longer than what a record may say in one place. */
  void check(RecallQuery query) {
    text("query", query.text());
    named("subjects", "page", query.visible().subjects().size(), limits.page());
    query.visible().subjects().forEach(subject -> text("subject", subject));
    check(query.filter());
  }

  private void check(RecallFilter filter) {
    filter.subject().ifPresent(subject -> text("subject", subject));
    filter.externalId().ifPresent(id -> text("external_id", id));
    filter.entity().ifPresent(entity -> text("about", entity));
    named("metadata", "metadata", filter.metadata().size(), limits.metadata());
    filter.metadata().forEach((key, value) -> text("metadata", key + value));
  }

  private void text(String field, String text) {
    named(field, "text", Texts.bytes(text), limits.text().bytes());
  }

  private static void named(String field, String limit, long found, long most) {
    new Limit("memory.limits." + limit, most).check(field, found);
  }

  private void check(NewTurn turn) {
    turn.model().ifPresent(this::text);
    turn.parts().forEach(this::check);
    count("parts", turn.parts().size(), limits.parts());
    size("turn", limits.turn(), turn.parts().stream().mapToLong(Part::size).sum());
    labels(turn.labels());
  }

  private void check(Part part) {
    switch (part) {
      case Part.ToolCall(var call, var tool, _) -> text(call + tool);
      case Part.ToolResult(var call, _, _) -> text(call);
      case Part.Data(var mediaType, _) -> text(mediaType);
      case Part.Text _ -> {}
    }
  }

  /** What is labelled and what comes to it are one by now, and have the limit of one. */
  Labels joined(Labels labels, Labels later) {
    Labels all = labels.and(later);
    if (!all.equals(labels)) {
      labels(all);
    }
    return all;
  }

  private void labels(Labels labels) {
    count("metadata", labels.metadata().size(), limits.metadata());
    labels.subject().ifPresent(this::text);
    labels.externalId().ifPresent(this::text);
    labels.metadata().forEach((key, value) -> text(key + value));
  }

  private void text(String text) {
    size("text", limits.text(), Texts.bytes(text));
  }

  private static void size(String name, DataSize limit, long found) {
    new Limit("memory.limits." + name, limit.bytes()).check(found);
  }

  private static void count(String name, int found, int limit) {
    new Limit("memory.limits." + name, limit).check(found);
  }
}
