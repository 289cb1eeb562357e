package dev.caliber.memory.pcp;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ContextIntegrityConfig.LintSettings;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ArtifactType;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Lint rules that need only the artifact itself. */
record ArtifactLinter(LintSettings settings) {
  private static final String MEDIA_TYPE = "media_type";
  private static final String JSON = "application/json";
  private static final int NAMED_BOUND = 20;
  private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{M}\\p{N}_'-]*");

  List<Issue> lint(Artifact made) {
    List<Issue> issues = new ArrayList<>();
    if (settings.enabled()) {
      sizeIssue(made).ifPresent(issues::add);
      contentIssue(made).ifPresent(issues::add);
      vocabularyIssue(made).ifPresent(issues::add);
    }
    return issues;
  }

  private Optional<Issue> sizeIssue(Artifact made) {
    long most = settings.maxArtifactSize().bytes();
    return made.content().size() <= most
        ? Optional.empty()
        : newIssue(
            made,
            IssueSeverity.WARNING,
            IssueType.OVERSIZED,
            "The artifact is larger than pcp.lint.max-artifact-size (%d bytes > %d bytes)"
                .formatted(made.content().size(), most));
  }

  private static Optional<Issue> contentIssue(Artifact made) {
    Optional<String> text = made.content().text();
    if (text.isEmpty()) {
      return isText(made.type())
          ? malformedIssue(made, "an artifact of this type has to be UTF-8 text")
          : Optional.empty();
    }
    if (isDeclaredJson(made) && !isJson(text.get())) {
      return malformedIssue(made, "media_type is JSON, but the content is not valid JSON");
    }
    return made.type() == ArtifactType.CODE_PATCH
            && !UnifiedDiffChecker.hasCompleteHunks(text.get())
        ? malformedIssue(made, "a hunk of the patch has fewer or more lines than its header says")
        : Optional.empty();
  }

  /** Ignores the parameters after the media type, such as its charset. */
  private static boolean isDeclaredJson(Artifact made) {
    Object said = made.labels().metadata().getOrDefault(MEDIA_TYPE, "");
    return JSON.equalsIgnoreCase(said.toString().split(";", 2)[0].strip());
  }

  /** Returns whether people and agents read artifacts of this type; others may have any content. */
  private static boolean isText(ArtifactType type) {
    return switch (type) {
      case ERROR_LOG, CODE_PATCH, DESIGN_DECISION, USER_PREFERENCE, FACT, CONSTRAINT -> true;
      case TOOL_RESULT, INTERMEDIATE_OUTPUT, CUSTOM -> false;
    };
  }

  private static boolean isJson(String text) {
    try {
      Json.read(text, JsonNode.class);
      return true;
    } catch (KernelException _) {
      return false;
    }
  }

  private static Optional<Issue> malformedIssue(Artifact made, String why) {
    return newIssue(
        made,
        IssueSeverity.ERROR,
        IssueType.MALFORMED_CONTENT,
        "The content is not valid for the artifact type %s (schema %d): %s"
            .formatted(made.type().name().toLowerCase(Locale.ROOT), made.schemaVersion(), why));
  }

  private Optional<Issue> vocabularyIssue(Artifact made) {
    Set<String> known =
        settings.vocabulary().stream().map(ArtifactLinter::toLowerCase).collect(Collectors.toSet());
    List<String> terms =
        settings.vocabularyEnforcement()
            ? WORD.matcher(made.content().text().orElse(""))
                .results()
                .map(MatchResult::group)
                .map(ArtifactLinter::toLowerCase)
                .filter(word -> !known.contains(word))
                .distinct()
                .toList()
            : List.of();
    return terms.isEmpty()
        ? Optional.empty()
        : newIssue(
            made,
            IssueSeverity.WARNING,
            IssueType.VOCABULARY_VIOLATION,
            "The artifact uses terms outside pcp.lint.vocabulary: " + termsText(terms));
  }

  /** Lists the first terms only, because an artifact may be as long as a book. */
  private static String termsText(List<String> terms) {
    String first = terms.stream().limit(NAMED_BOUND).collect(Collectors.joining(", "));
    int rest = terms.size() - NAMED_BOUND;
    return rest > 0 ? "%s and %,d more".formatted(first, rest) : first;
  }

  private static String toLowerCase(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  static Optional<Issue> newIssue(
      Artifact made, IssueSeverity issueSeverity, IssueType type, String message) {
    return Optional.of(
        Issue.of(issueSeverity, type, message, EntityRef.of(EntityType.ARTIFACT, made.id())));
  }
}
