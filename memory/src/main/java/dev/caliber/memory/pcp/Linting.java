package dev.caliber.memory.pcp;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.PcpConfig.Lint;
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

/** What can be said of an artifact by looking at it alone. */
record Linting(Lint settings) {
  private static final String MEDIA_TYPE = "media_type";
  private static final String JSON = "application/json";
  private static final int NAMED_BOUND = 20;
  private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{M}\\p{N}_'-]*");

  List<Issue> of(Artifact made) {
    List<Issue> issues = new ArrayList<>();
    if (settings.enabled()) {
      oversized(made).ifPresent(issues::add);
      malformed(made).ifPresent(issues::add);
      foreign(made).ifPresent(issues::add);
    }
    return issues;
  }

  private Optional<Issue> oversized(Artifact made) {
    long most = settings.maxArtifactSize().bytes();
    return made.content().size() <= most
        ? Optional.empty()
        : issue(
            made,
            Severity.WARNING,
            IssueType.OVERSIZED,
            "Artifact exceeds max size (%d > %d)".formatted(made.content().size(), most));
  }

  private static Optional<Issue> malformed(Artifact made) {
    Optional<String> text = made.content().text();
    if (text.isEmpty()) {
      return isText(made.type()) ? malformed(made, "its type wants UTF-8 text") : Optional.empty();
    }
    if (saysJson(made) && !isJson(text.get())) {
      return malformed(made, "it says that it is JSON and does not parse");
    }
    return made.type() == ArtifactType.CODE_PATCH && !Hunks.areComplete(text.get())
        ? malformed(made, "a hunk of the patch has fewer or more lines than it says")
        : Optional.empty();
  }

  /** Whatever parameters stand behind the type, such as its charset. */
  private static boolean saysJson(Artifact made) {
    Object said = made.labels().metadata().getOrDefault(MEDIA_TYPE, "");
    return JSON.equalsIgnoreCase(said.toString().split(";", 2)[0].strip());
  }

  /** What people and agents read; the others may be anything. */
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

  private static Optional<Issue> malformed(Artifact made, String why) {
    return issue(
        made,
        Severity.ERROR,
        IssueType.MALFORMED_CONTENT,
        "Content does not parse as %s, schema %d: %s"
            .formatted(made.type().name().toLowerCase(Locale.ROOT), made.schemaVersion(), why));
  }

  private Optional<Issue> foreign(Artifact made) {
    Set<String> known =
        settings.vocabulary().stream().map(Linting::lower).collect(Collectors.toSet());
    List<String> terms =
        settings.vocabularyEnforcement()
            ? WORD.matcher(made.content().text().orElse(""))
                .results()
                .map(MatchResult::group)
                .map(Linting::lower)
                .filter(word -> !known.contains(word))
                .distinct()
                .toList()
            : List.of();
    return terms.isEmpty()
        ? Optional.empty()
        : issue(
            made,
            Severity.WARNING,
            IssueType.VOCABULARY_VIOLATION,
            "Terms outside the vocabulary: " + named(terms));
  }

  /** An artifact may be a book; the first words show what kind of words they are. */
  private static String named(List<String> terms) {
    String first = terms.stream().limit(NAMED_BOUND).collect(Collectors.joining(", "));
    int rest = terms.size() - NAMED_BOUND;
    return rest > 0 ? "%s and %,d more".formatted(first, rest) : first;
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  static Optional<Issue> issue(Artifact made, Severity severity, IssueType type, String message) {
    return Optional.of(
        Issue.of(severity, type, message, EntityRef.of(EntityType.ARTIFACT, made.id())));
  }
}
