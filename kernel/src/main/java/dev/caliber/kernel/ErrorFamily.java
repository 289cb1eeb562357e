package dev.caliber.kernel;

/** Part of the system that an error is about; its code begins every error code of the family. */
public enum ErrorFamily {
  STORAGE("CALIBER_STORAGE"),
  LLM("CALIBER_LLM"),
  VALIDATION("CALIBER_VALIDATION"),
  CONFIG("CALIBER_CONFIG"),
  VECTOR("CALIBER_VECTOR"),
  AGENT("CALIBER_AGENT");

  private final String code;

  ErrorFamily(String code) {
    this.code = code;
  }

  public String code() {
    return code;
  }
}
