package dev.caliber.memory.context;

/** The three classes of sources that a model is told of. */
enum SourceClass {
  CODE("Code"),
  HISTORY("History"),
  ACADEMIC("Academic");

  private final String title;

  SourceClass(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
