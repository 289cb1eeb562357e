package dev.caliber.memory.context.render;

import dev.caliber.memory.context.candidate.RecordBody;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Renderer to headings and lists, the format with the fewest tokens. A record starts after the
 * label of its list item, and its further lines are indented, so that none of them can pass for a
 * heading, an instruction or another item.
 */
final class MarkdownRenderer implements WindowRenderer {
  private static final String INDENT = "  ";

  private final boolean dates;

  MarkdownRenderer(boolean dates) {
    this.dates = dates;
  }

  @Override
  public RenderedItem renderItem(FilledSection filledSection, WindowItem windowItem) {
    return renderItem(windowItem);
  }

  private RenderedItem renderItem(WindowItem windowItem) {
    return windowItem.content().candidate().kind() == SourceKind.SYSTEM
        ? new RenderedItem("", windowItem.content().body().plainText() + "\n\n")
        : new RenderedItem(
            renderLabel(windowItem),
            " " + PlainTextFormat.indent(PlainTextFormat.itemText(windowItem), INDENT) + "\n");
  }

  @Override
  public String sectionFrame(WindowSection windowSection) {
    return windowSection.kind() == SourceKind.SYSTEM ? "" : "## " + windowSection.name() + "\n";
  }

  @Override
  public String windowFrame() {
    return "";
  }

  @Override
  public String render(List<FilledSection> chapters) {
    return chapters.stream().map(this::renderSection).collect(Collectors.joining());
  }

  private String renderSection(FilledSection filledSection) {
    return filledSection.items().stream()
        .map(windowItem -> renderItem(windowItem).text())
        .collect(Collectors.joining("", sectionFrame(filledSection.section()), ""));
  }

  private String renderLabel(WindowItem windowItem) {
    RecordBody recordBody = windowItem.content().body();
    List<String> said = new ArrayList<>();
    said.add("- [" + windowItem.number() + "]");
    recordBody.role().ifPresent(turnRole -> said.add(turnRole.name().toLowerCase(Locale.ROOT)));
    recordBody.attributes().values().forEach(value -> said.add(PlainTextFormat.singleLine(value)));
    if (dates) {
      recordBody.day().ifPresent(day -> said.add(UtcDates.dateOf(day)));
    }
    windowItem.shortenedText().ifPresent(_ -> said.add("(shortened)"));
    return String.join(" ", said) + ":";
  }
}
