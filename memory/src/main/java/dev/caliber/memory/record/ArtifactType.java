package dev.caliber.memory.record;

/** Type of an artifact. */
public enum ArtifactType {
  ERROR_LOG,
  CODE_PATCH,
  DESIGN_DECISION,
  USER_PREFERENCE,
  FACT,
  CONSTRAINT,
  TOOL_RESULT,
  INTERMEDIATE_OUTPUT,
  CUSTOM
}
