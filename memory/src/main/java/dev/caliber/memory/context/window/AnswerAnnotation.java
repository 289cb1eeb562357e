package dev.caliber.memory.context.window;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * Claims of a model's answer with the records that support them.
 *
 * @param sourcesUsed the records that it cites, each once
 * @param inferences statements marked {@code [INFERENCE]}, which no source supports
 * @param warnings the lines that contain a warning sign
 * @param fabricated the numbers that it cites and the window does not have
 * @param conflicts notes of the window that contradict each other, whether cited or not
 * @param response the answer itself
 * @param method how the answer was produced: by a model
 */
public record AnswerAnnotation(
    List<AnswerClaim> claims,
    List<Id> sourcesUsed,
    List<String> inferences,
    List<String> warnings,
    List<Integer> fabricated,
    List<ConflictingRecords> conflicts,
    String response,
    String method) {

  /** The only method today. */
  public static final String MODEL = "model";

  public AnswerAnnotation {
    claims = List.copyOf(claims);
    sourcesUsed = List.copyOf(sourcesUsed);
    inferences = List.copyOf(inferences);
    warnings = List.copyOf(warnings);
    fabricated = List.copyOf(fabricated);
    conflicts = List.copyOf(conflicts);
  }

  /** Support of a claim. */
  public enum ClaimSupport {
    /** The claim cites records of the window. */
    CITED,
    /** The claim cites a number that is not in the window. */
    MISCITED,
    /** The claim cites nothing, but a record of the window contains its words. */
    INFERRED,
    /** The claim cites nothing, and no record of the window contains its words. */
    UNCITED
  }

  /** Sentence of the answer; its sources are the cited records, or the inferred one. */
  public record AnswerClaim(
      String text, ClaimSupport standing, List<CitedRecord> sources, List<Integer> unknown) {
    public AnswerClaim {
      sources = List.copyOf(sources);
      unknown = List.copyOf(unknown);
    }
  }

  /** Record of the window. */
  public record CitedRecord(int number, SourceKind kind, Id id) {}

  /** Two contradicting records of the window. */
  public record ConflictingRecords(CitedRecord one, CitedRecord other) {}

  /** Returns the first claim that is miscited or uncited. */
  public Optional<AnswerClaim> firstDoubtfulClaim() {
    return claims.stream()
        .filter(
            answerClaim ->
                answerClaim.standing() == ClaimSupport.MISCITED
                    || answerClaim.standing() == ClaimSupport.UNCITED)
        .findFirst();
  }
}
