package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Optional;

/** A model's answer, claim by claim, with the records that stand behind it. */
public record Annotation(List<Claim> claims) {
  public Annotation {
    claims = List.copyOf(claims);
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

  /** The first claim that needs a second look. */
  public Optional<Claim> doubtful() {
    return claims.stream()
        .filter(
            claim -> claim.standing() == Standing.MISCITED || claim.standing() == Standing.UNCITED)
        .findFirst();
  }
}
