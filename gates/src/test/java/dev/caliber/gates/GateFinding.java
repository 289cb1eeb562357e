package dev.caliber.gates;

/** A violation that a gate has found: its place and its reason. */
record GateFinding(String place, String what) {
  @Override
  public String toString() {
    return place + ": " + what;
  }
}
