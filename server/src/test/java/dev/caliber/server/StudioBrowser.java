package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** A real Chromium, and the faults it showed. */
@NullMarked
final class StudioBrowser implements AutoCloseable {
  static final int LAPTOP = 1280;
  static final int PHONE = 390;

  private static final int HEIGHT = 800;
  private static final double PATIENCE = 20_000;
  private static final String AXE = "/axe.min.js";

  private final Playwright playwright =
      Playwright.create(
          new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
  private final Browser browser =
      playwright
          .chromium()
          .launch(
              new BrowserType.LaunchOptions()
                  .setExecutablePath(executable())
                  .setArgs(List.of("--no-sandbox", "--disable-gpu")));
  private final String axe = text(AXE);

  StudioBrowser() {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
  }

  /** Returns the browser that the run names, or the first on the machine. */
  private static Path executable() {
    return Stream.concat(
            Stream.ofNullable(System.getenv("CALIBER_TEST_CHROMIUM")),
            Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"))
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("No Chromium: ./verify --help says more"));
  }

  private static String text(String resource) {
    try (InputStream in =
        Objects.requireNonNull(StudioBrowser.class.getResourceAsStream(resource), resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens a separate browser context, like one person's browser. */
  Visit visit(URI server) {
    return visit(server, LAPTOP, ColorScheme.LIGHT);
  }

  Visit visit(URI server, int width, ColorScheme scheme) {
    return new Visit(
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, HEIGHT).setColorScheme(scheme)),
        server,
        axe);
  }

  @Override
  public void close() {
    playwright.close();
  }

  /** The visit of one person; closing it fails if there were faults. */
  static final class Visit implements AutoCloseable {
    private final BrowserContext context;
    private final URI server;
    private final String axe;
    private final Page page;
    private final List<String> complaints = new ArrayList<>();

    private Visit(BrowserContext context, URI server, String axe) {
      this.context = context;
      this.server = server;
      this.axe = axe;
      this.page = context.newPage();
      page.onConsoleMessage(this::heard);
      page.onPageError(error -> complaints.add("error: " + error));
      page.onDialog(
          dialog -> {
            complaints.add("dialog: " + dialog.message());
            dialog.dismiss();
          });
      page.onRequest(
          request -> {
            if (!request.url().startsWith(server.toString())
                && !request.url().startsWith("data:")) {
              complaints.add("request: " + request.url());
            }
          });
    }

    /**
     * Ignores messages about refused requests, which the browser logs itself; any other is a fault.
     */
    private void heard(ConsoleMessage message) {
      boolean serious = message.type().equals("error") || message.type().equals("warning");
      if (serious && !message.text().startsWith("Failed to load resource")) {
        complaints.add("console: " + message.text());
      }
    }

    Page page() {
      return page;
    }

    /** Opens a page of Studio. */
    Page open(String route) {
      page.navigate(server + "/#" + route);
      return page;
    }

    /** Returns the violations of accessibility rules, in words. */
    @SuppressWarnings("unchecked") // the result type of the script below
    List<String> violations() {
      page.evaluate(axe);
      return (List<String>)
          page.evaluate(
              """
              async () => (await axe.run(document, {resultTypes: ['violations']})).violations
                .map(rule => rule.id + ': ' + rule.nodes.slice(0, 3)
                  .map(node => node.target.join(' ') + ' ' + (node.any[0]?.message ?? '')).join('; '))""");
    }

    @Override
    public void close() {
      context.close();
      assertThat(complaints).as("what the browser complained about").isEmpty();
    }
  }
}
