package dev.caliber.bench;

/** How a window is filled. */
enum EvidenceMethod {
  ASSEMBLED("assembled window"),
  DENSE("top turns by vector"),
  LAST("last turns");

  private final String title;

  EvidenceMethod(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
