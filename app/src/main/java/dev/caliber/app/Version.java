package dev.caliber.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar, and what it runs on. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
            .orElse("(classes that were never packed)");
    return new String[] {
      "caliber " + version,
      "Java %s, %s %s"
          .formatted(
              Runtime.version(), System.getProperty("os.name"), System.getProperty("os.arch")),
    };
  }
}
