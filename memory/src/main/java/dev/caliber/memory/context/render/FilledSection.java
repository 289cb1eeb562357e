package dev.caliber.memory.context.render;

import dev.caliber.memory.context.window.WindowSection;
import java.util.List;

/** Section with its items, in the order in which they are shown. */
public record FilledSection(WindowSection section, List<WindowItem> items) {
  public FilledSection {
    items = List.copyOf(items);
  }
}
