package dev.caliber.memory.context;

import java.util.List;

/** A section with what is in it, in the order in which it is shown. */
record Chapter(Section section, List<Piece> pieces) {
  Chapter {
    pieces = List.copyOf(pieces);
  }
}
