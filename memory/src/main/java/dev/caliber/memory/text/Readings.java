package dev.caliber.memory.text;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The texts that were read last: a new note is held against the same ones again and again. One lock
 * guards them; reading itself goes on outside.
 */
final class Readings {
  private static final int TEXTS_BOUND = 2048;
  private static final float USUAL_LOAD = 0.75f;

  private final Map<String, Reading> last =
      new LinkedHashMap<>(TEXTS_BOUND, USUAL_LOAD, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reading> eldest) {
          return size() > TEXTS_BOUND;
        }
      };

  Reading of(String text) {
    synchronized (last) {
      Reading known = last.get(text);
      if (known != null) {
        return known;
      }
    }
    Reading read = Reading.of(text);
    synchronized (last) {
      last.put(text, read);
    }
    return read;
  }
}
