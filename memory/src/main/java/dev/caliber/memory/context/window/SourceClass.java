package dev.caliber.memory.context.window;

/** Class of sources as named to a model. */
public enum SourceClass {
  CODE("Code"),
  HISTORY("History"),
  ACADEMIC("Academic");

  private final String title;

  SourceClass(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
