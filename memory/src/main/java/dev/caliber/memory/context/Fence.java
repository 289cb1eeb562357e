package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lines around text that is only data. What they say follows from the moment, the query and the
 * candidates of a window, so that the window can be made again, and it never occurs in the text:
 * whoever writes a record cannot end the block that it stands in.
 *
 * @param inputs the hash of what goes in
 */
record Fence(String inputs) {
  private static final int LENGTH = 16;

  static Fence of(Instant at, Optional<String> query, List<Content> ordered) {
    return new Fence(
        Hashing.fields("fence")
            .time(at)
            .each(query, Hashing.Fields::text)
            .each(ordered, (fields, content) -> content.candidate().addTo(fields))
            .hash());
  }

  /** The first mark that is nowhere in the text. */
  String mark(String text) {
    int place = 0;
    String mark = mark(place);
    while (text.contains(mark)) {
      place++;
      mark = mark(place);
    }
    return mark;
  }

  private String mark(int place) {
    return Hashing.fields("mark").text(inputs).number(place).hash().substring(0, LENGTH);
  }
}
