package dev.caliber.memory.pcp;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.kernel.config.ContextIntegrityConfig.ContradictionPolicy;
import dev.caliber.memory.command.CreateArtifacts;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.NewArtifact;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.ContextErrorCode;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.ExtractionMethod;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.Query;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Issues found by validation and lint. */
@EachEngine
class ValidationContract extends GuardianFixture {
  private static final String BLUE = "The wall is painted blue.";
  private static final String NOT_BLUE = "The wall is not painted blue.";

  private ValidationReport check(Trajectory task) {
    return guardian.validate(SPACE, assemble(task).window());
  }

  private static List<Issue> of(ValidationReport validationReport, IssueType type) {
    return validationReport.issues().stream().filter(issue -> issue.type() == type).toList();
  }

  private Note learn(String words, double confidence, TimeRange valid) {
    pass(Duration.ofSeconds(1));
    return memory.run(
        SPACE,
        WriteNote.of("wall", "thing", NoteType.FACT, words)
            .withConfidence(confidence)
            .withValidity(valid));
  }

  @Test
  @DisplayName("PCP-05: sound sources give no issue; the run leaves its trace with its duration")
  void nothingIsWrong() {
    Trajectory task = start();
    fact(task, BLUE, 0.9);
    ValidationReport validationReport = check(task);
    assertThat(validationReport).isEqualTo(new ValidationReport(true, List.of()));
    assertThat(traces(task, "validation_run"))
        .singleElement()
        .satisfies(event -> assertThat(event.durationMs()).isPresent());
  }

  /** Returns traces of any task, or none. */
  private List<TraceEvent> traces(String type) {
    return store
        .read(
            SPACE, snapshot -> snapshot.scan(Query.over(TraceEvent.TABLE, "type").equal(type), 100))
        .records();
  }

  private List<TraceEvent> traces(Trajectory task, String type) {
    return guardian.trajectoryTrace(SPACE, task.id(), Optional.of(type), 100).events();
  }

  @Test
  @DisplayName("PCP-06, PCP-11, MEM-23, J-36: two facts that cannot both be true are a warning")
  void contradictions() {
    Trajectory task = start();
    Artifact one = fact(task, BLUE, 0.9);
    Artifact other = fact(task, NOT_BLUE, 0.8);
    for (ValidationReport validationReport :
        List.of(check(task), guardian.validate(SPACE, task.id()))) {
      assertThat(validationReport.valid()).isTrue();
      Issue issue = of(validationReport, IssueType.CONTRADICTION).getFirst();
      assertThat(issue.severity()).isEqualTo(IssueSeverity.WARNING);
      assertThat(issue.message())
          .isEqualTo("Contradiction between two records: %s vs %s".formatted(BLUE, NOT_BLUE));
      assertThat(issue.records())
          .extracting(record -> Id.parse(record.id()))
          .containsExactly(one.id(), other.id());
    }
  }

  @Test
  @DisplayName("PCP-11, J-36: facts that only read or mean alike are an info, unverified")
  void alike() {
    index();
    Trajectory task = start();
    fact(task, "The red wall of the old house is high.", 0.9);
    fact(task, "The red wall of the old house is very high.", 0.9);
    embed();
    ValidationReport validationReport = guardian.validate(SPACE, task.id());
    assertThat(of(validationReport, IssueType.CONTRADICTION))
        .singleElement()
        .satisfies(
            issue -> {
              assertThat(issue.severity()).isEqualTo(IssueSeverity.INFO);
              assertThat(issue.message()).contains("unverified");
            });
  }

  @Test
  @DisplayName("PCP-11: more facts than are compared is said")
  void notCompared() {
    use(with("pcp.fact-comparison-limit = 1"));
    Trajectory task = start();
    fact(task, BLUE, 0.9);
    fact(task, NOT_BLUE, 0.9);
    assertThat(guardian.validate(SPACE, task.id()).issues())
        .extracting(Issue::type)
        .containsExactly(IssueType.NOT_COMPARED);
  }

  @Test
  @DisplayName("PCP-12, PCP-03, OBS-02, J-34: the policy says which of two stays, and it is traced")
  void resolutions() {
    for (ContradictionPolicy policy : ContradictionPolicy.values()) {
      use(resolving(policy));
      Trajectory task = start();
      Artifact surer = fact(task, BLUE, 0.9);
      Artifact newer = fact(task, NOT_BLUE, 0.8);
      List<ContradictionResolution> done =
          guardian.resolveContradictions(SPACE, guardian.validate(SPACE, task.id()));
      List<Id> live =
          memory.<List<Artifact>>view(SPACE, view -> view.artifacts(task.id())).stream()
              .filter(made -> made.isLive(clock.instant()))
              .map(Artifact::id)
              .toList();
      switch (policy) {
        case NEWEST -> assertThat(live).containsExactly(newer.id());
        case HIGHEST_CONFIDENCE -> assertThat(live).containsExactly(surer.id());
        case MANUAL -> assertThat(live).containsExactlyInAnyOrder(surer.id(), newer.id());
      }
      assertThat(done).hasSize(policy == ContradictionPolicy.MANUAL ? 0 : 1);
      List<TraceEvent> told = traces(task, "contradiction_resolved");
      assertThat(told)
          .extracting(TraceEvent::record)
          .containsExactlyElementsOf(done.stream().map(ContradictionResolution::ended).toList());
      assertThat(told)
          .allMatch(event -> event.detail().orElseThrow().equals(policy.name().toLowerCase(ROOT)))
          .allMatch(event -> event.durationMs().isPresent());
      assertThat(guardian.resolveContradictions(SPACE, guardian.validate(SPACE, task.id())))
          .isEmpty();
    }
  }

  @Test
  @DisplayName("PCP-12: one that lives for a time stays as well when its task is over")
  void whatLivesForATimeStays() {
    use(resolving(ContradictionPolicy.NEWEST));
    Trajectory task = start();
    Artifact old = passing(task, BLUE);
    Artifact now = passing(task, NOT_BLUE);
    memory.run(SPACE, EndTrajectory.complete(task.id(), ""));
    pass(Duration.ofMinutes(1));
    assertThat(guardian.resolveContradictions(SPACE, guardian.validate(SPACE, task.id())))
        .containsExactly(
            new ContradictionResolution(
                EntityRef.of(EntityType.ARTIFACT, now.id()),
                EntityRef.of(EntityType.ARTIFACT, old.id())));
    assertThat(memory.<Artifact>view(SPACE, view -> view.artifact(now.id()))).isEqualTo(now);
  }

  private Artifact passing(Trajectory task, String words) {
    pass(Duration.ofSeconds(1));
    NewArtifact wish =
        NewArtifact.of(scopeOf(task).id(), ArtifactType.FACT, Bytes.of(words))
            .withTtl(Ttl.of(Duration.ofDays(1)));
    return memory.run(SPACE, CreateArtifacts.of(wish)).getFirst();
  }

  @Test
  @DisplayName(
      "PCP-12: of two contradicting notes one ends, and is still known for the time before")
  void notesEnd() {
    use(resolving(ContradictionPolicy.NEWEST));
    Note old = learn(BLUE, 1, TimeRange.always());
    Note now = learn(NOT_BLUE, 1, TimeRange.always());
    Trajectory task = start();
    pass(Duration.ofMinutes(1));
    List<ContradictionResolution> done = guardian.resolveContradictions(SPACE, check(task));
    assertThat(done).hasSize(1);
    assertThat(traces("contradiction_resolved"))
        .extracting(TraceEvent::record)
        .containsExactly(EntityRef.of(EntityType.NOTE, old.id()));
    assertThat(memory.<Note>view(SPACE, view -> view.note(old.id())).isLive(clock.instant()))
        .isFalse();
    assertThat(memory.<Note>view(SPACE, view -> view.note(now.id())).isLive(clock.instant()))
        .isTrue();
  }

  @Test
  @DisplayName("PCP-07, J-35: a note that has expired since is an error")
  void expired() {
    Note note =
        learn(BLUE, 1, TimeRange.between(clock.instant(), clock.instant().plusSeconds(3600)));
    Trajectory task = start();
    Window window = assemble(task).window();
    pass(Duration.ofHours(2));
    ValidationReport validationReport = guardian.validate(SPACE, window);
    assertThat(validationReport.valid()).isFalse();
    assertThat(of(validationReport, IssueType.STALE_DATA))
        .extracting(Issue::severity, Issue::message)
        .containsExactly(tuple(IssueSeverity.ERROR, "Note %s has expired".formatted(note.id())));
  }

  @Test
  @DisplayName("PCP-07: what was superseded or forgotten since the window was made is an error")
  void outOfDate() {
    Note note = learn(BLUE, 1, TimeRange.always());
    Trajectory task = start();
    Window window = assemble(task).window();
    memory.run(
        SPACE,
        new SupersedeNote(note.id(), WriteNote.of("wall", "thing", NoteType.FACT, NOT_BLUE)));
    assertThat(guardian.validate(SPACE, window).issues())
        .extracting(Issue::message)
        .contains("Note %s is no longer believed".formatted(note.id()));
  }

  @Test
  @DisplayName("PCP-08, PCP-03, J-35: a source older than stale-after is a warning")
  void stale() {
    Trajectory task = start();
    fact(task, BLUE, 0.9);
    pass(pcp().staleAfter().plusSeconds(1));
    ValidationReport validationReport = check(task);
    assertThat(validationReport.valid()).isTrue();
    assertThat(of(validationReport, IssueType.STALE_DATA))
        .extracting(Issue::severity)
        .containsExactly(IssueSeverity.WARNING);
  }

  @Test
  @DisplayName("PCP-09, PCP-03, J-35: low confidence of a record and low relevance are infos")
  void lowConfidence() {
    Trajectory task = start();
    fact(task, BLUE, 0.4);
    learn("The door is green.", 0.3, TimeRange.always());
    assertThat(of(check(task), IssueType.LOW_CONFIDENCE))
        .extracting(Issue::severity)
        .containsExactly(IssueSeverity.INFO, IssueSeverity.INFO);
    use(
        with(
            "pcp.grounding.confidence-threshold = 0.2",
            "pcp.grounding.conflict-resolution = 'manual'"));
    assertThat(check(task).issues()).isEmpty();
    use(
        with(
            "pcp.grounding.confidence-threshold = 0.9",
            "pcp.grounding.conflict-resolution = 'manual'"));
    Window asked =
        assembler.assemble(SPACE, AssembleRequest.of(task.id()).withQuery("wall")).window();
    assertThat(of(guardian.validate(SPACE, asked), IssueType.LOW_CONFIDENCE))
        .extracting(Issue::message)
        .anyMatch(message -> message.contains("relevance"));
  }

  @Test
  @DisplayName("PCP-10, PCP-03, J-34: a fact that names no source is an error, if one is required")
  void missingSource() {
    Trajectory task = start();
    make(task, ArtifactType.FACT, BLUE, Provenance.of(ExtractionMethod.EXPLICIT));
    make(task, ArtifactType.CONSTRAINT, "No nails.", Provenance.of(ExtractionMethod.EXPLICIT));
    make(task, ArtifactType.FACT, "I own it.", Provenance.of(ExtractionMethod.USER_PROVIDED));
    ValidationReport validationReport = check(task);
    assertThat(validationReport.valid()).isFalse();
    assertThat(of(validationReport, IssueType.MISSING_SOURCE)).hasSize(1);
    use(
        with(
            "pcp.grounding.require-source-for-facts = false",
            "pcp.grounding.conflict-resolution = 'manual'"));
    assertThat(check(task).valid()).isTrue();
  }

  @Test
  @DisplayName(
      "PCP-24, PCP-03, J-34: on-mutation looks at what is written, always at each read too")
  void whenItIsValidated() {
    Trajectory task = start();
    make(task, ArtifactType.FACT, BLUE, Provenance.of(ExtractionMethod.EXPLICIT));
    assertThat(traces(task, "validation_run"))
        .extracting(event -> event.detail().orElseThrow())
        .containsExactly("missing_source 1");
    assertThat(guardian.assemble(SPACE, AssembleRequest.of(task.id())).report()).isEmpty();
    use(with("pcp.validation = 'always'"));
    assertThat(guardian.assemble(SPACE, AssembleRequest.of(task.id())).report())
        .hasValueSatisfying(validationReport -> assertThat(validationReport.valid()).isFalse());
  }

  @Test
  @DisplayName("PCP-24, PCP-03: always means every window that a caller gets, dosed or not")
  void everyWindowIsValidated() {
    use(with("pcp.validation = 'always'"));
    Trajectory task = start();
    make(task, ArtifactType.FACT, BLUE, Provenance.of(ExtractionMethod.EXPLICIT));
    AssembleRequest wish = AssembleRequest.of(task.id());
    ValidatedWindow plain = guardian.assemble(SPACE, wish, false);
    assertThat(plain.window().recipe().dosage()).isEmpty();
    ValidatedWindow dosed =
        guardian.applyLimits(SPACE, plain.window(), new WindowPersistence.EphemeralPersistence());
    for (ValidatedWindow made : List.of(plain, guardian.assemble(SPACE, wish, true), dosed)) {
      assertThat(made.report().orElseThrow().issues())
          .extracting(Issue::type)
          .contains(IssueType.MISSING_SOURCE);
    }
    use(pcp());
    assertThat(guardian.assemble(SPACE, wish, false).report()).isEmpty();
    assertThat(
            guardian
                .applyLimits(SPACE, plain.window(), new WindowPersistence.EphemeralPersistence())
                .report())
        .isEmpty();
  }

  @Test
  @DisplayName("CTX-14, J-29: instructions beyond the budget are refused per call, with the field")
  void instructionsBeyondTheBudget() {
    Trajectory task = start();
    instruct("Be kind. ".repeat(10_000));
    CaliberException refusal = catchThrowableOfType(CaliberException.class, () -> assemble(task));
    assertThat(refusal.code()).isEqualTo(ContextErrorCode.BUDGET_TOO_SMALL);
    assertThat(refusal)
        .hasMessageContaining(
            "max_tokens: the system instructions and the frame of the window need")
        .hasMessageContaining("the budget is 8000");
    assertThat(traces(task, "context_assembled")).isEmpty();
  }

  @Test
  @DisplayName("PCP-04: what is not there is refused with its code")
  void unknown() {
    Id unknown = Id.derivedFrom("test", "unknown");
    assertThat(
            catchThrowableOfType(
                    CaliberException.class,
                    () -> guardian.validate(SPACE, assembler.window(SPACE, unknown)))
                .code())
        .isEqualTo(ContextErrorCode.UNKNOWN_WINDOW);
    for (Runnable call :
        List.<Runnable>of(
            () -> guardian.validate(SPACE, unknown),
            () -> guardian.lintArtifact(SPACE, unknown),
            () -> guardian.lintTrajectory(SPACE, unknown),
            () -> guardian.windowAt(SPACE, unknown))) {
      assertThat(catchThrowableOfType(CaliberException.class, call::run).code())
          .isEqualTo(MemoryErrorCode.UNKNOWN_RECORD);
    }
  }

  @Test
  @DisplayName("PCP-20: a report that names few names the worst")
  void theWorstIsNamed() {
    IssueCollector issueCollector = new IssueCollector(2);
    IssueSeverity[] come = {
      IssueSeverity.INFO,
      IssueSeverity.WARNING,
      IssueSeverity.INFO,
      IssueSeverity.ERROR,
      IssueSeverity.WARNING
    };
    for (IssueSeverity issueSeverity : come) {
      issueCollector.add(Issue.of(issueSeverity, IssueType.STALE_DATA, issueSeverity.name()));
    }
    ValidationReport validationReport = issueCollector.report();
    assertThat(validationReport.valid()).isFalse();
    assertThat(validationReport.issues())
        .extracting(Issue::message)
        .containsExactly(
            "ERROR", "WARNING", "3 more issues were found and are not listed (memory.limits.list)");
  }

  @Test
  @DisplayName("PCP-09, REC-04: a window of what was rolled back since is stale")
  void rolledBackSince() {
    Trajectory task = start();
    say(task, "Mend the wall.");
    Checkpoint before = checkpoint(task);
    Turn gone = say(task, "No, paint it.");
    Window window = assemble(task).window();
    assertThat(of(guardian.validate(SPACE, window), IssueType.STALE_DATA)).isEmpty();
    guardian.recover(SPACE, RecoveryRequest.toCheckpoint(before.id()));
    assertThat(of(guardian.validate(SPACE, window), IssueType.STALE_DATA))
        .singleElement()
        .satisfies(
            issue -> {
              assertThat(issue.severity()).isEqualTo(IssueSeverity.ERROR);
              assertThat(issue.message()).isEqualTo("Turn %s was rolled back", gone.id());
            });
  }

  private static ContextIntegrityConfig resolving(ContradictionPolicy policy) {
    String name = policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return with("pcp.grounding.conflict-resolution = '%s'".formatted(name));
  }

  private static ContextIntegrityConfig lint(
      boolean enabled, List<String> vocabulary, boolean duplicates) {
    return with(
        "pcp.lint.enabled = " + enabled,
        "pcp.lint.max-artifact-size = '100B'",
        "pcp.lint.vocabulary-enforcement = " + !vocabulary.isEmpty(),
        "pcp.lint.vocabulary = " + Json.text(vocabulary),
        "pcp.lint.duplicate-detection = " + duplicates);
  }

  @Test
  @DisplayName("PCP-20, PCP-22, PCP-03, MEM-24: an artifact that is too large; no linter, no issue")
  void oversized() {
    use(lint(true, List.of(), false));
    Trajectory task = start();
    Artifact large = fact(task, "x".repeat(101), 0.9);
    assertThat(traces(task, "validation_run"))
        .extracting(event -> event.detail().orElseThrow())
        .containsExactly("oversized 1");
    assertThat(guardian.lintArtifact(SPACE, large.id()))
        .isEqualTo(
            new ValidationReport(
                true,
                List.of(
                    Issue.of(
                        IssueSeverity.WARNING,
                        IssueType.OVERSIZED,
                        "The artifact is larger than pcp.lint.max-artifact-size (101 bytes > 100 bytes)",
                        EntityRef.of(EntityType.ARTIFACT, large.id())))));
    use(lint(false, List.of(), true));
    assertThat(guardian.lintArtifact(SPACE, large.id()))
        .isEqualTo(new ValidationReport(true, List.of()));
  }

  @Test
  @DisplayName("PCP-20, OBS-02: a look at an artifact, or at those of a task, leaves its trace")
  void lintIsTraced() {
    use(lint(true, List.of(), false));
    Trajectory task = start();
    Artifact large = fact(task, "x".repeat(101), 0.9);
    Artifact small = fact(task, BLUE, 0.9);
    guardian.lintArtifact(SPACE, small.id());
    assertThat(guardian.lintTrajectory(SPACE, task.id()).issues())
        .extracting(Issue::type, issue -> issue.records().getFirst().id())
        .containsExactly(tuple(IssueType.OVERSIZED, large.id().toString()));
    List<TraceEvent> told = traces(task, "validation_run");
    assertThat(told)
        .extracting(TraceEvent::record, event -> event.detail().orElseThrow())
        .containsExactlyInAnyOrder(
            tuple(EntityRef.of(EntityType.ARTIFACT, large.id()), "oversized 1"),
            tuple(EntityRef.of(EntityType.ARTIFACT, small.id()), ""),
            tuple(EntityRef.of(EntityType.TRAJECTORY, task.id()), "oversized 1"));
    assertThat(told).allMatch(event -> event.durationMs().isPresent());
  }

  @Test
  @DisplayName(
      "PCP-24, PCP-09: what a fact stands on is looked at when it is written, linter or not")
  void groundsWithoutALinter() {
    use(lint(false, List.of(), false));
    Trajectory task = start();
    make(task, ArtifactType.FACT, BLUE, Provenance.of(ExtractionMethod.EXPLICIT));
    assertThat(traces(task, "validation_run"))
        .extracting(event -> event.detail().orElseThrow())
        .containsExactly("missing_source 1");
  }

  @Test
  @DisplayName("PCP-24, PCP-09, PCP-10: notes are looked at as well, and what is written again")
  void whatIsWrittenAgain() {
    Trajectory task = start();
    WriteNote doubted = WriteNote.of("wall", "thing", NoteType.FACT, BLUE).withConfidence(0.3);
    Note note = memory.run(SPACE, doubted.withSource(task.id()));
    assertThat(traces(task, "validation_run"))
        .extracting(TraceEvent::record, event -> event.detail().orElseThrow())
        .containsExactly(tuple(EntityRef.of(EntityType.NOTE, note.id()), "low_confidence 1"));
    learn(
        "The door is green.",
        0.9,
        TimeRange.between(clock.instant().minusSeconds(9), clock.instant()));
    Trajectory other = start();
    make(other, ArtifactType.FACT, "I own it.", Provenance.of(ExtractionMethod.USER_PROVIDED));
    assertThat(traces("validation_run")).as("nothing is wrong with these").hasSize(1);
    Artifact again =
        make(other, ArtifactType.FACT, "I own it.", Provenance.of(ExtractionMethod.EXPLICIT));
    fact(other, "I own it.", 0.2);
    assertThat(traces(other, "validation_run"))
        .extracting(TraceEvent::record, event -> event.detail().orElseThrow())
        .containsExactlyInAnyOrder(
            tuple(EntityRef.of(EntityType.ARTIFACT, again.id()), "missing_source 1"),
            tuple(EntityRef.of(EntityType.ARTIFACT, again.id()), "low_confidence 1"));
  }

  @Test
  @DisplayName("PCP-24: a dry run is validated, and leaves no trace")
  void dryRunsAreValidated() {
    use(with("pcp.validation = 'always'"));
    Trajectory task = start();
    fact(task, BLUE, 0.9);
    assertThat(guardian.assemble(SPACE, AssembleRequest.of(task.id()).withDryRun()).report())
        .isPresent();
    assertThat(traces(task, "validation_run")).isEmpty();
  }

  @Test
  @DisplayName("PCP-24, PCP-11: a search that fails is said, and the window that was made stands")
  void aSearchThatFailsIsSaid() {
    index();
    use(with("pcp.validation = 'always'"));
    Trajectory task = start();
    fact(task, BLUE, 0.9);
    closeSearch();
    ValidatedWindow made = guardian.assemble(SPACE, AssembleRequest.of(task.id()), false);
    assertThat(made.report().orElseThrow().valid()).isTrue();
    assertThat(of(made.report().orElseThrow(), IssueType.NOT_COMPARED))
        .singleElement()
        .satisfies(issue -> assertThat(issue.severity()).isEqualTo(IssueSeverity.INFO));
  }

  @Test
  @DisplayName("PCP-21, PCP-03: a near duplicate is named; without vectors, the same content")
  void duplicates() {
    index();
    Trajectory task = start();
    Artifact one = fact(task, BLUE, 0.9);
    Artifact same = fact(start(), BLUE, 0.9);
    Artifact near = fact(task, "the wall is painted blue", 0.9);
    Artifact other = fact(task, "Zebras sleep standing in the garden.", 0.9);
    embed();
    assertThat(guardian.lintArtifact(SPACE, one.id()).issues())
        .singleElement()
        .satisfies(issue -> assertThat(issue.message()).endsWith(same.id().toString()));
    assertThat(guardian.lintArtifact(SPACE, near.id()).issues())
        .singleElement()
        .satisfies(issue -> assertThat(issue.type()).isEqualTo(IssueType.DUPLICATE));
    assertThat(guardian.lintArtifact(SPACE, other.id()).issues()).isEmpty();
    use(lint(true, List.of(), false));
    assertThat(guardian.lintArtifact(SPACE, one.id()).issues()).isEmpty();
  }

  @Test
  @DisplayName("PCP-20, PCP-21: a search that fails is said once, and hides no other finding")
  void lintWithoutItsSearch() {
    index();
    Trajectory task = start();
    Artifact large = fact(task, "x".repeat(101), 0.9);
    fact(task, BLUE, 0.9);
    use(lint(true, List.of(), true));
    closeSearch();
    assertThat(guardian.lintTrajectory(SPACE, task.id()).issues())
        .extracting(Issue::type)
        .containsExactly(IssueType.OVERSIZED, IssueType.NOT_COMPARED);
    assertThat(types(large)).containsExactly(IssueType.OVERSIZED, IssueType.NOT_COMPARED);
  }

  @Test
  @DisplayName("PCP-22: of many words outside the vocabulary the first are named, the rest counted")
  void manyForeignWords() {
    use(lint(true, List.of("wall"), false));
    String words =
        IntStream.range(0, 30).mapToObj(i -> "x" + i).collect(Collectors.joining(" ", "wall ", ""));
    Artifact strange = fact(start(), words, 0.9);
    assertThat(of(guardian.lintArtifact(SPACE, strange.id()), IssueType.VOCABULARY_VIOLATION))
        .singleElement()
        .satisfies(
            issue -> assertThat(issue.message()).contains("x0, x1").endsWith("x19 and 10 more"));
  }

  @Test
  @DisplayName(
      "PCP-22, PCP-03, J-34: content that does not parse, and words outside the vocabulary")
  void malformedAndForeign() {
    use(lint(true, List.of("Diff", "wall"), false));
    Trajectory task = start();
    Artifact patch =
        make(
            task,
            ArtifactType.CODE_PATCH,
            "@@ -1,2 +1,2 @@\n a\n-b\n",
            Provenance.of(ExtractionMethod.EXPLICIT));
    assertThat(types(patch))
        .containsExactly(IssueType.MALFORMED_CONTENT, IssueType.VOCABULARY_VIOLATION);
    assertThat(guardian.lintArtifact(SPACE, patch.id()).valid()).isFalse();
    Artifact whole =
        make(
            task,
            ArtifactType.CODE_PATCH,
            "@@ -1,2 +1,2 @@\n wall\n-diff\n+wall",
            Provenance.of(ExtractionMethod.EXPLICIT));
    assertThat(types(whole)).isEmpty();
    for (String media : List.of("application/json", "Application/JSON; charset=utf-8")) {
      assertThat(types(labelled(task, "{\"wall\": 1", media)))
          .containsExactly(IssueType.MALFORMED_CONTENT);
    }
    assertThat(types(labelled(task, "{\"wall\": 1}", "application/json"))).isEmpty();
    assertThat(types(labelled(task, Bytes.of(new byte[] {(byte) 0xff, 1}), "image/png")))
        .containsExactly(IssueType.MALFORMED_CONTENT);
  }

  @ParameterizedTest
  @DisplayName(
      "PCP-22: a hunk has just the lines that it promises, each of a kind that it can have")
  @ValueSource(
      strings = {
        "@@ -1 +1 @@\n-a\n+b\n+c", // one line more than the header says
        "@@ -1,2 +1,2 @@\n a\nwhat is this\n-b\n+c", // not a line of a hunk
        "@@ -1,3 +1,1 @@\n a\n-b", // one line fewer
      })
  void brokenHunks(String patch) {
    assertThat(UnifiedDiffChecker.hasCompleteHunks(patch)).isFalse();
  }

  @ParameterizedTest
  @DisplayName("PCP-22: files, blank lines and a missing end of line are parts of a patch")
  @ValueSource(
      strings = {
        "@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b",
        "@@ -1,2 +1,2 @@\n\n-a\n+b\n\\ No newline at end of file",
        "@@ -1 +1 @@\n-a\n+b\n\nAnd so it is done.",
        "no patch at all",
      })
  void wholeHunks(String patch) {
    assertThat(UnifiedDiffChecker.hasCompleteHunks(patch)).isTrue();
  }

  private List<IssueType> types(Artifact made) {
    return guardian.lintArtifact(SPACE, made.id()).issues().stream().map(Issue::type).toList();
  }

  private Artifact labelled(Trajectory task, String content, String media) {
    return labelled(task, Bytes.of(content), media);
  }

  private Artifact labelled(Trajectory task, Bytes content, String media) {
    Labels labels = Labels.none().withMetadata("media_type", media);
    return memory
        .run(
            SPACE,
            CreateArtifacts.of(
                NewArtifact.of(scopeOf(task).id(), ArtifactType.FACT, content)
                    .withProvenance(Provenance.of(ExtractionMethod.USER_PROVIDED))
                    .withLabels(labels)))
        .getFirst();
  }

  @Test
  @DisplayName("PCP-05: a task with more than a list holds is looked through; the rest is counted")
  void moreThanAListHolds() {
    Trajectory task = start();
    for (int i = 0; i < 4; i++) {
      fact(task, "Planet%d shines.".formatted(i), 0.1);
      memory.run(
          SPACE,
          WriteNote.of("planet" + i, "planet", NoteType.FACT, "It has rings.")
              .withConfidence(0.1)
              .withSource(task.id()));
    }
    use(MemoryConfig.starter().with("memory.limits.list = 3"));
    ValidationReport validationReport = guardian.validate(SPACE, task.id());
    assertThat(validationReport.valid()).isTrue();
    assertThat(validationReport.issues())
        .extracting(Issue::type)
        .containsExactly(
            IssueType.LOW_CONFIDENCE,
            IssueType.LOW_CONFIDENCE,
            IssueType.LOW_CONFIDENCE,
            IssueType.NOT_NAMED);
    assertThat(validationReport.issues().getLast().message()).startsWith("5 more issues");
  }

  @Test
  @DisplayName("PCP-05: an error is named before lesser issues that were found earlier")
  void anErrorComesFirst() {
    Trajectory task = start();
    fact(task, BLUE, 0.1);
    pass(Duration.ofSeconds(1));
    make(task, ArtifactType.FACT, "People say so.", Provenance.of(ExtractionMethod.INFERRED));
    use(MemoryConfig.starter().with("memory.limits.list = 1"));
    ValidationReport validationReport = guardian.validate(SPACE, task.id());
    assertThat(validationReport.issues())
        .extracting(Issue::severity)
        .containsExactly(IssueSeverity.ERROR, IssueSeverity.INFO);
    assertThat(validationReport.valid()).isFalse();
  }

  @Test
  @DisplayName("PCP-20, PCP-21: all artifacts of a task are linted, a page at a time")
  void lintOfALongTask() {
    Trajectory first = start();
    Trajectory again = start();
    for (int i = 0; i < 4; i++) {
      fact(first, "Planet%d shines.".formatted(i), 0.9);
      fact(again, "Planet%d shines.".formatted(i), 0.9);
    }
    use(MemoryConfig.starter().with("memory.limits.list = 3"));
    assertThat(guardian.lintTrajectory(SPACE, again.id()).issues())
        .extracting(Issue::type)
        .containsExactly(
            IssueType.DUPLICATE, IssueType.DUPLICATE, IssueType.DUPLICATE, IssueType.NOT_NAMED);
  }
}
