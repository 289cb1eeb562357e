package dev.caliber.gates;

import com.sun.source.tree.AnnotationTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Gate on packages: every one has a description and is null-marked (STYLE rule 4). */
final class PackageInfos {
  private static final String FILE = "package-info.java";

  private PackageInfos() {}

  static List<GateFinding> findings(List<JavaSource> sources) {
    Map<String, JavaSource> infos =
        sources.stream()
            .filter(javaSource -> javaSource.path().endsWith(FILE))
            .collect(Collectors.toMap(JavaSource::directory, Function.identity()));
    return JavaSource.directories(sources)
        .flatMap(
            directory -> problem(directory, Optional.ofNullable(infos.get(directory))).stream())
        .toList();
  }

  private static Optional<GateFinding> problem(String directory, Optional<JavaSource> info) {
    if (info.isEmpty()) {
      return Optional.of(new GateFinding(directory, "has no " + FILE));
    }
    if (info.get().unit().getPackageAnnotations().stream().noneMatch(PackageInfos::isNullMarked)) {
      return Optional.of(new GateFinding(info.get().path(), "is not @NullMarked"));
    }
    return info.get().text().stripLeading().startsWith("/**")
        ? Optional.empty()
        : Optional.of(new GateFinding(info.get().path(), "has no description"));
  }

  private static boolean isNullMarked(AnnotationTree annotation) {
    return annotation.getAnnotationType().toString().endsWith("NullMarked");
  }
}
