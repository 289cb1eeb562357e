package dev.caliber.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One page of a browser, of a size and in a light. */
final class ChromiumPage implements AutoCloseable {
  private final Chromium browser;
  private final String target;
  private final Optional<String> session;

  private ChromiumPage(Chromium browser, String target, String session) {
    this.browser = browser;
    this.target = target;
    this.session = Optional.of(session);
  }

  /** How a person looks at it. */
  record Look(String name, int width, int height, boolean dark) {}

  static ChromiumPage open(Chromium browser, Look look) {
    String target =
        browser
            .ask(Optional.empty(), "Target.createTarget", Map.of("url", "about:blank"))
            .path("targetId")
            .asString();
    String session =
        browser
            .ask(
                Optional.empty(),
                "Target.attachToTarget",
                Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .asString();
    ChromiumPage page = new ChromiumPage(browser, target, session);
    page.ask(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            look.width(),
            "height",
            look.height(),
            "deviceScaleFactor",
            1,
            "mobile",
            false));
    page.ask(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", look.dark() ? "dark" : "light"))));
    return page;
  }

  private JsonNode ask(String method, Map<String, Object> parameters) {
    return browser.ask(session, method, parameters);
  }

  /**
   * Opens an address; milliseconds from there until this selector was on the page, nothing was
   * being read any more, and it was painted.
   */
  double load(String address, String selector) {
    ask("Page.navigate", Map.of("url", address));
    return evaluate(
            """
            new Promise((resolve) => {
              const look = () => document.querySelector(%s) && !document.querySelector('.loading')
                ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
                : requestAnimationFrame(look);
              look();
            })"""
                .formatted(dev.caliber.kernel.Json.text(selector)))
        .asDouble();
  }

  /** The value of an expression, awaited where it is a promise. */
  JsonNode evaluate(String expression) {
    return ask(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true))
        .path("result")
        .path("value");
  }

  void picture(Path file) {
    String data = ask("Page.captureScreenshot", Map.of("format", "png")).path("data").asString();
    try {
      Files.write(file, Base64.getDecoder().decode(data));
    } catch (IOException e) {
      throw BenchException.preparing("Writing " + file, e);
    }
  }

  @Override
  public void close() {
    browser.ask(Optional.empty(), "Target.closeTarget", Map.of("targetId", target));
  }
}
