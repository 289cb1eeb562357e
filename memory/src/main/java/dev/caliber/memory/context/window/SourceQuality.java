package dev.caliber.memory.context.window;

import dev.caliber.kernel.FieldHash;

/**
 * Quality of a candidate as a source; each value is from 0 to 1.
 *
 * @param value the weighted total, by the settings' shares
 * @param similarity similarity to the query
 * @param trust confidence in it
 * @param freshness 1 for a new one, falling with age
 * @param verified whether it has a source
 */
public record SourceQuality(
    double value, double similarity, double trust, double freshness, boolean verified) {

  public void addToHash(FieldHash.FieldHasher fieldHasher) {
    fieldHasher.number(value).number(similarity).number(trust).number(freshness).flag(verified);
  }
}
