package dev.caliber.memory.context;

/**
 * The rendered form of one piece, in two parts that are counted apart: the first changes with the
 * number, the second only with the content.
 */
record Fragment(String head, String rest) {
  String text() {
    return head + rest;
  }
}
