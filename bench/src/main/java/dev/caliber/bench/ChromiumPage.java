package dev.caliber.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One page of a browser, with a size and a colour scheme. */
final class ChromiumPage implements AutoCloseable {
  private final ChromiumBrowser browser;
  private final String target;
  private final Optional<String> session;

  private ChromiumPage(ChromiumBrowser browser, String target, String session) {
    this.browser = browser;
    this.target = target;
    this.session = Optional.of(session);
  }

  /** The size and colour scheme of a page. */
  record PageAppearance(String name, int width, int height, boolean dark) {}

  static ChromiumPage open(ChromiumBrowser browser, PageAppearance pageAppearance) {
    String target =
        browser
            .sendCommand(Optional.empty(), "Target.createTarget", Map.of("url", "about:blank"))
            .path("targetId")
            .asString();
    String session =
        browser
            .sendCommand(
                Optional.empty(),
                "Target.attachToTarget",
                Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .asString();
    ChromiumPage page = new ChromiumPage(browser, target, session);
    page.sendCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            pageAppearance.width(),
            "height",
            pageAppearance.height(),
            "deviceScaleFactor",
            1,
            "mobile",
            false));
    page.sendCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of(
                    "name",
                    "prefers-color-scheme",
                    "value",
                    pageAppearance.dark() ? "dark" : "light"))));
    return page;
  }

  private JsonNode sendCommand(String method, Map<String, Object> parameters) {
    return browser.sendCommand(session, method, parameters);
  }

  /**
   * Opens an address; returns the milliseconds until this selector was on the page, no request was
   * open, and it was painted.
   */
  double measureLoad(String address, String selector) {
    sendCommand("Page.navigate", Map.of("url", address));
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

  /** Returns the value of an expression; awaits a promise. */
  JsonNode evaluate(String expression) {
    return sendCommand(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true))
        .path("result")
        .path("value");
  }

  void saveScreenshot(Path file) {
    String data =
        sendCommand("Page.captureScreenshot", Map.of("format", "png")).path("data").asString();
    try {
      Files.write(file, Base64.getDecoder().decode(data));
    } catch (IOException e) {
      throw BenchException.preparationFailed("Writing " + file, e);
    }
  }

  @Override
  public void close() {
    browser.sendCommand(Optional.empty(), "Target.closeTarget", Map.of("targetId", target));
  }
}
