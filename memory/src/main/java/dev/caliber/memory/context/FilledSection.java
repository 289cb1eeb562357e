package dev.caliber.memory.context;

import java.util.List;

/** Section with its items, in the order in which they are shown. */
record FilledSection(WindowSection section, List<WindowItem> items) {
  FilledSection {
    items = List.copyOf(items);
  }
}
