package dev.caliber.gates;

import com.sun.source.tree.AnnotationTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every package says what it is and is null-marked (STYLE rule 4). */
final class PackageInfos {
  private static final String FILE = "package-info.java";

  private PackageInfos() {}

  static List<Finding> findings(List<Source> sources) {
    Map<String, Source> infos =
        sources.stream()
            .filter(source -> source.path().endsWith(FILE))
            .collect(Collectors.toMap(Source::directory, Function.identity()));
    return Source.directories(sources)
        .flatMap(
            directory -> problem(directory, Optional.ofNullable(infos.get(directory))).stream())
        .toList();
  }

  private static Optional<Finding> problem(String directory, Optional<Source> info) {
    if (info.isEmpty()) {
      return Optional.of(new Finding(directory, "has no " + FILE));
    }
    if (info.get().unit().getPackageAnnotations().stream().noneMatch(PackageInfos::isNullMarked)) {
      return Optional.of(new Finding(info.get().path(), "is not @NullMarked"));
    }
    return info.get().text().stripLeading().startsWith("/**")
        ? Optional.empty()
        : Optional.of(new Finding(info.get().path(), "does not say what the package is"));
  }

  private static boolean isNullMarked(AnnotationTree annotation) {
    return annotation.getAnnotationType().toString().endsWith("NullMarked");
  }
}
