package dev.caliber.gates;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.List;
import java.util.Set;

/**
 * Gate on shared primitives: SHA-256, ids, JSON mapping and time formats are made in the kernel;
 * other modules call it (ARC-11).
 */
final class SharedPrimitives {
  private static final Set<String> MAKERS =
      Set.of(
          "java.security.MessageDigest.getInstance",
          "java.util.UUID.<init>",
          "java.util.UUID.randomUUID",
          "java.util.UUID.nameUUIDFromBytes",
          "tools.jackson.databind.json.JsonMapper.builder",
          "tools.jackson.databind.json.JsonMapper.<init>",
          "tools.jackson.databind.ObjectMapper.<init>",
          "java.time.format.DateTimeFormatter.ofPattern");

  private SharedPrimitives() {}

  static List<GateFinding> findings(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
        .filter(access -> MAKERS.contains(target(access)))
        .map(
            access ->
                new GateFinding(
                    access.getOrigin().getFullName(),
                    target(access) + " may be called in the kernel only"))
        .toList();
  }

  private static String target(JavaCodeUnitAccess<?> access) {
    return access.getTargetOwner().getName() + "." + access.getTarget().getName();
  }
}
