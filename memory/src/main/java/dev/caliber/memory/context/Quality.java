package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;

/**
 * How good a candidate is as a source, each from 0 to 1.
 *
 * @param value all of it together, by the shares that settings give
 * @param similarity how near it is to the query
 * @param trust how much it is believed
 * @param freshness how new it is
 * @param verified whether it has a source
 */
public record Quality(
    double value, double similarity, double trust, double freshness, boolean verified) {

  void addTo(Hashing.Fields fields) {
    fields.number(value).number(similarity).number(trust).number(freshness).flag(verified);
  }
}
