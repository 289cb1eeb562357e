package dev.caliber.memory.context;

import java.util.Optional;

/**
 * A candidate as it would stand in the window.
 *
 * @param number of its ledger line
 * @param shortened the text that stands for the whole one
 */
record Piece(int number, Content content, Optional<String> shortened) {
  static Piece whole(int number, Content content) {
    return new Piece(number, content, Optional.empty());
  }
}
