package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.server.operation.Operation.Target;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Holds a caller with a subject to its own records, in the commit that changes them. The checks
 * read the records of every subject: a name that another subject's session has is in use, although
 * the caller sees no session of that name.
 */
record SubjectAccess(Rooms rooms) {
  private static final String EXTERNAL_ID = "external_id";

  /** The input as the caller means it: with its subject, where it is limited to one. */
  static JsonNode bind(Operation<?, ?> operation, Caller caller, JsonNode input) {
    return caller.subject().isEmpty() ? input : rule(operation).bind(input, caller.subject().get());
  }

  private static SubjectRule rule(Operation<?, ?> operation) {
    return operation.subjects().orElseThrow(() -> ServerException.notForSubjects(operation.name()));
  }

  /**
   * The transaction in which the operation runs. A turn in a group counts on turns of others, so
   * that it is written with the records of every subject; its answer holds only what is new.
   */
  <I extends Record> Transaction admit(
      Transaction transaction, Operation<I, ?> operation, Caller caller, I read, JsonNode input) {
    if (caller.subject().isEmpty() || operation.right() == Right.READ) {
      return transaction;
    }
    Transaction all = SubjectScopedStore.unfiltered(transaction);
    operation.target().ifPresent(target -> requireOwn(all, target, read));
    SubjectRule rule = rule(operation);
    if (!rule.read().isEmpty()) {
      return transaction; // its input says what it reads
    }
    Places places = new Places(MemoryView.of(all, rooms.memoryConfig()), all, caller.scope(), rule);
    return places.group(input).isPresent() ? all : transaction;
  }

  /** A caller that is limited to a subject changes no record of the whole space. */
  private static <I extends Record> void requireOwn(Snapshot all, Target<I> target, I read) {
    Id key = target.key().apply(read);
    all.find(target.table(), key)
        .filter(RecordOwners::isShared)
        .ifPresent(
            _ -> {
              throw ServerException.sharedRecord(target.table().name(), key.toString());
            });
  }

  /**
   * Where an operation writes: the session, trajectory and scope that its input names.
   *
   * @param all records of every subject
   */
  private record Places(MemoryView view, Snapshot all, SubjectScope scope, SubjectRule rule) {
    /** Refuses places that are not the caller's own; the group, if the input names one. */
    Optional<Id> group(JsonNode input) {
      Optional<Id> session = session(input.path("session").asString(""));
      Optional<Id> trajectory = id(input, "trajectory").flatMap(this::trajectory);
      Optional<Id> scoped =
          id(input, "scope")
              .flatMap(id -> all.find(Scope.TABLE, id))
              .flatMap(found -> trajectory(found.trajectory()));
      Optional<Id> group = session.or(() -> trajectory).or(() -> scoped);
      group.ifPresent(
          id -> input.path("turns").forEach(turn -> requireFreeName(id, turn.path(EXTERNAL_ID))));
      return group;
    }

    private static Optional<Id> id(JsonNode input, String name) {
      return input.path(name).stringValueOpt().map(Id::parse);
    }

    /** A turn that is there under this name would be the answer. */
    private void requireFreeName(Id group, JsonNode name) {
      name.stringValueOpt()
          .flatMap(external -> view.turn(group, external))
          .filter(turn -> !scope.sees(turn.labels()))
          .ifPresent(
              _ -> {
                throw ServerException.turnNameTaken(name.asString());
              });
    }

    /** A turn of that name would go to one of these, now or later. */
    private Optional<Id> session(String name) {
      if (name.isEmpty() || rule.written().isEmpty()) {
        return Optional.empty();
      }
      List<Trajectory> known = view.sessions(name);
      known.stream()
          .filter(one -> !isFree(one))
          .findFirst()
          .ifPresent(
              _ -> {
                throw ServerException.sessionTaken(name);
              });
      return known.stream().filter(Trajectory::isGroup).map(Trajectory::id).findFirst();
    }

    private boolean isFree(Trajectory known) {
      if (known.isGroup()) {
        return rule.continues() && !known.status().isTerminal();
      }
      return scope.sees(known.labels())
          && (known.labels().subject().isPresent() || (rule.continues() && isEmpty(known.id())));
    }

    /** One that the caller does not see is an unknown one: the operation says so. */
    private Optional<Id> trajectory(Id id) {
      Optional<Trajectory> shared =
          all.find(Trajectory.TABLE, id).filter(found -> found.labels().subject().isEmpty());
      shared
          .filter(found -> !rule.continues() || (!found.isGroup() && !isEmpty(id)))
          .ifPresent(
              _ -> {
                throw ServerException.sharedRecord(Trajectory.TABLE.name(), id.toString());
              });
      return shared.filter(Trajectory::isGroup).map(Trajectory::id);
    }

    private boolean isEmpty(Id trajectory) {
      return view.trajectory(trajectory).counters().turns() == 0
          && all.first(Query.over(Artifact.TABLE, "trajectory", "created_at").equal(trajectory))
              .isEmpty()
          && all.first(Query.over(Trajectory.TABLE, "parent").equal(trajectory)).isEmpty();
    }
  }

  /**
   * Says who reads records of which subjects because the call names them, before it does. Every
   * subject at once is read by operators only.
   */
  void audit(Caller caller, Call call) {
    List<String> subjects = NamedSubjects.listed(call.input());
    if (subjects.isEmpty()) {
      return;
    }
    if (subjects.contains(NamedSubjects.EVERY) && !caller.right().covers(Right.ADMIN)) {
      throw ServerException.rightMissing(call.operation() + " with subjects *", Right.ADMIN);
    }
    MemoryConfig.Limits limits = rooms.memoryConfig().limits();
    new Limit("memory.limits.page", limits.page()).check("subjects", subjects.size());
    Limit text = new Limit("memory.limits.text", limits.text().bytes());
    subjects.forEach(subject -> text.check("subjects", Texts.bytes(subject)));
    rooms
        .store()
        .write(
            caller.space(),
            transaction -> {
              AuditEntry entry =
                  AuditEntry.of(transaction, caller, call.operation(), Optional.empty())
                      .reading(subjects);
              transaction.insert(AuditEntry.TABLE, entry);
              return entry;
            });
  }
}
