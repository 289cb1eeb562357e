package dev.caliber.memory.context.render;

/**
 * Rendered item in two parts that are counted separately: the first depends on the number, the
 * second only on the content.
 */
public record RenderedItem(String head, String rest) {
  String text() {
    return head + rest;
  }
}
