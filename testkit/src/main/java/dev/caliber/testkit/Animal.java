package dev.caliber.testkit;

import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;

/** Record with a field of every kind, for tests of the store. */
public record Animal(
    String id,
    String name,
    Optional<String> herd,
    long legs,
    double weight,
    boolean tame,
    Instant seenAt) {

  /** Table of animals. */
  public static final Table<Animal> ANIMALS =
      Table.of("animal", "Animals, for tests.", Animal.class, Animal::id)
          .text("name", Animal::name)
          .text("herd", animal -> animal.herd().orElse(null))
          .integer("legs", Animal::legs)
          .real("weight", Animal::weight)
          .flag("tame", Animal::tame)
          .instant("seen_at", Animal::seenAt)
          .index("name")
          .index("herd", "legs")
          .index("seen_at")
          .index("tame", "weight");

  public static Animal of(String id, String name) {
    return new Animal(id, name, Optional.empty(), 4, 1.5, true, ManualClock.START);
  }

  public Animal withHerd(String newHerd) {
    return new Animal(id, name, Optional.of(newHerd), legs, weight, tame, seenAt);
  }

  public Animal withLegs(long newLegs) {
    return new Animal(id, name, herd, newLegs, weight, tame, seenAt);
  }

  public Animal withWeight(double newWeight) {
    return new Animal(id, name, herd, legs, newWeight, tame, seenAt);
  }

  public Animal withSeenAt(Instant time) {
    return new Animal(id, name, herd, legs, weight, tame, time);
  }

  public Animal withName(String newName) {
    return new Animal(id, newName, herd, legs, weight, tame, seenAt);
  }
}
