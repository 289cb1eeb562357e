package dev.caliber.memory;

import dev.caliber.memory.record.Artifact;
import java.util.List;

/**
 * Looks over artifacts in the commit that writes them. It may say what is wrong, which is traced,
 * and refuses nothing.
 */
@FunctionalInterface
public interface Inspector {

  /** What is wrong with it, as codes; nothing slow. */
  List<String> inspect(Artifact artifact);
}
