package dev.caliber.bench.eval;

/** Methods of filling a window. */
enum EvidenceMethod {
  ASSEMBLED("assembled window", "#0b6e4f"),
  DENSE("top turns by vector", "#c1540c"),
  LAST("last turns", "#5b5b8c");

  private final String title;
  private final String colour;

  EvidenceMethod(String title, String colour) {
    this.title = title;
    this.colour = colour;
  }

  /** Returns the colour of the method's curve. */
  String colour() {
    return colour;
  }

  String title() {
    return title;
  }
}
