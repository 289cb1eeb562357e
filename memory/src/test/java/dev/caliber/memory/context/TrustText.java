package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Window in the trust format, parsed by its layout alone; any text in an unexpected place fails the
 * test.
 */
public record TrustText(String system, List<String> conflicts, List<Item> items, String rest) {
  private static final Pattern USER =
      Pattern.compile(
          "(?s)(?:\u26a0\ufe0f CONFLICTS DETECTED:\n(.*?)---\n)?RETRIEVED CONTEXT:\n"
              + "<<< ([0-9a-f]{16})\n(.*)>>> \\2\n---\n(.*)");
  private static final Pattern LABEL = Pattern.compile("\\[(\\d+)] (.*)");
  private static final Pattern SCORE = Pattern.compile("([01]\\.\\d\\d)\\)(?: \\(shortened\\))?$");

  /** One item: its number, its label, and its lines. */
  public record Item(int number, String label, List<String> lines) {
    public String score() {
      Matcher found = SCORE.matcher(label);
      assertThat(found.find()).as(label).isTrue();
      return found.group(1);
    }

    /** Returns the record's text. */
    public String content() {
      int first = lines.getFirst().startsWith("  Content: ") ? 0 : 1;
      return String.join("\n", lines.subList(first, lines.size()))
          .substring("  Content: ".length())
          .replace("\n    ", "\n");
    }
  }

  public static TrustText of(String text) {
    JsonNode messages = Json.mapper().readTree(text);
    assertThat(messages.size()).isEqualTo(2);
    assertThat(messages.get(0).get("role").asString()).isEqualTo("system");
    assertThat(messages.get(1).get("role").asString()).isEqualTo("user");
    Matcher user = USER.matcher(messages.get(1).get("content").asString());
    assertThat(user.matches()).as(text).isTrue();
    String mark = user.group(2);
    assertThat(user.group(0).split(mark, -1)).as("the mark occurs twice").hasSize(3);
    String conflicts = user.group(1) == null ? "" : user.group(1);
    return new TrustText(
        messages.get(0).get("content").asString(),
        conflicts.lines().toList(),
        items(user.group(3)),
        user.group(4));
  }

  private static List<Item> items(String block) {
    List<Item> items = new ArrayList<>();
    for (String line : block.isEmpty() ? List.<String>of() : List.of(block.split("\n", -1))) {
      Matcher label = LABEL.matcher(line);
      if (label.matches()) {
        items.add(new Item(Integer.parseInt(label.group(1)), label.group(2), new ArrayList<>()));
      } else if (!line.isEmpty()) {
        assertThat(line).startsWith("  ");
        items.getLast().lines().add(line);
      }
    }
    return items;
  }

  public List<Integer> numbers() {
    return items.stream().map(Item::number).toList();
  }

  public Item item(int number) {
    return items.stream().filter(item -> item.number() == number).findFirst().orElseThrow();
  }
}
