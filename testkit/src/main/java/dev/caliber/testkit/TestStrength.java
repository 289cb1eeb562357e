package dev.caliber.testkit;

/** Numbers of rounds and seeds: the smaller ones, or all with {@code ./verify --thorough}. */
public final class TestStrength {
  private static final boolean THOROUGH = Boolean.getBoolean("caliber.thorough");

  private TestStrength() {}

  public static int choose(int usual, int thorough) {
    return THOROUGH ? thorough : usual;
  }
}
