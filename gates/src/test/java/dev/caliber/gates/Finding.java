package dev.caliber.gates;

/** One thing that a gate refuses: where it is, and what is wrong with it. */
record Finding(String place, String what) {
  @Override
  public String toString() {
    return place + ": " + what;
  }
}
