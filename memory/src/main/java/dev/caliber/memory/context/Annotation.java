package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/**
 * A model's answer, claim by claim, with the records that stand behind it.
 *
 * @param sourcesUsed the records that it cites, each once
 * @param inferences what it says itself that no source states: {@code [INFERENCE]}
 * @param warnings its lines that warn
 * @param fabricated the numbers that it cites and the window has not
 * @param conflicts notes of the window that cannot both be true, whatever the answer says
 * @param response the answer itself
 * @param method who has answered: a model
 */
public record Annotation(
    List<Claim> claims,
    List<Id> sourcesUsed,
    List<String> inferences,
    List<String> warnings,
    List<Integer> fabricated,
    List<Conflict> conflicts,
    String response,
    String method) {

  /** The one way to answer that there is; others come with what answers without a model. */
  static final String MODEL = "model";

  public Annotation {
    claims = List.copyOf(claims);
    sourcesUsed = List.copyOf(sourcesUsed);
    inferences = List.copyOf(inferences);
    warnings = List.copyOf(warnings);
    fabricated = List.copyOf(fabricated);
    conflicts = List.copyOf(conflicts);
  }

  /** What stands behind a claim. */
  public enum Standing {
    /** It cites records of the window. */
    CITED,
    /** It cites a number that is not in the window. */
    MISCITED,
    /** It cites nothing, but a record of the window has its words. */
    INFERRED,
    /** It cites nothing, and no record of the window has its words. */
    UNCITED
  }

  /** A sentence of the answer; sources are what it cites, or what it seems to come from. */
  public record Claim(String text, Standing standing, List<Source> sources, List<Integer> unknown) {
    public Claim {
      sources = List.copyOf(sources);
      unknown = List.copyOf(unknown);
    }
  }

  /** A record of the window. */
  public record Source(int number, SourceKind kind, Id id) {}

  /** Two records of the window. */
  public record Conflict(Source one, Source other) {}

  /** The first claim that needs a second look. */
  public Optional<Claim> doubtful() {
    return claims.stream()
        .filter(
            claim -> claim.standing() == Standing.MISCITED || claim.standing() == Standing.UNCITED)
        .findFirst();
  }
}
