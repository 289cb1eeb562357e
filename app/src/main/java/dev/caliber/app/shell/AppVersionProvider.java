package dev.caliber.app.shell;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Version of the jar, and the Java and operating system that it runs on. */
public final class AppVersionProvider implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(AppVersionProvider.class.getPackage().getImplementationVersion())
            .orElse("(unpacked classes)");
    return new String[] {
      "caliber " + version,
      "Java %s, %s %s"
          .formatted(
              Runtime.version(), System.getProperty("os.name"), System.getProperty("os.arch")),
    };
  }
}
