package dev.caliber.kernel.pack;

import java.util.List;

/** Tools that are given together: their ids, each once. */
public record PackToolset(String name, List<String> tools) {
  public PackToolset {
    tools = List.copyOf(tools);
  }
}
