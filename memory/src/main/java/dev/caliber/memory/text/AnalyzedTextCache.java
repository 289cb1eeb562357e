package dev.caliber.memory.text;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * LRU cache of analyzed texts: a new note is compared with the same texts again and again. The lock
 * guards the map only; texts are analyzed outside it.
 */
final class AnalyzedTextCache {
  private static final int TEXTS_BOUND = 2048;
  private static final float USUAL_LOAD = 0.75f;

  private final Map<String, AnalyzedText> last =
      new LinkedHashMap<>(TEXTS_BOUND, USUAL_LOAD, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AnalyzedText> eldest) {
          return size() > TEXTS_BOUND;
        }
      };

  AnalyzedText analyze(String text) {
    synchronized (last) {
      AnalyzedText known = last.get(text);
      if (known != null) {
        return known;
      }
    }
    AnalyzedText read = AnalyzedText.of(text);
    synchronized (last) {
      last.put(text, read);
    }
    return read;
  }
}
