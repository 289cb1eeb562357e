package dev.caliber.server;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.NullMarked;

/** The pages of Studio, each with an element that exists once the page is complete. */
@NullMarked
final class StudioPlaces {
  private StudioPlaces() {}

  static Map<String, String> of(StudioSample sample) {
    Map<String, String> places = new LinkedHashMap<>();
    places.put("/", ".chart");
    places.put("/trajectories", "a.task");
    places.put("/trajectories/" + sample.trajectory(), ".beat");
    places.put("/windows", "a.card");
    places.put("/windows/" + sample.window(), ".ledger");
    places.put("/memory", "a.note");
    places.put("/memory?q=large", "article");
    places.put("/memory/note/" + sample.note(), ".facts");
    places.put("/memory/entity/" + encoded(sample.entity()), "svg rect.believed");
    places.put("/coordination", ".box");
    places.put("/metrics", "figure svg");
    return places;
  }

  static String encoded(String name) {
    return java.net.URLEncoder.encode(name, java.nio.charset.StandardCharsets.UTF_8)
        .replace("+", "%20");
  }
}
