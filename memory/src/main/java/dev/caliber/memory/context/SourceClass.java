package dev.caliber.memory.context;

/** Class of sources as named to a model. */
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
