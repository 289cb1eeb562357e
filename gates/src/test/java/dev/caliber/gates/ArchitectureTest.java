package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gates on compiled classes, each tested with the repository and with a bad sample. */
class ArchitectureTest {
  @TempDir Path directory;

  @Test
  void noPackageReachesItself() {
    assertThat(PackageCycles.findings(Repository.classes(Repository.modules()))).isEmpty();
  }

  @Test
  void aCycleOfTwoPackagesIsFound() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "A.java", "package dev.caliber.one; public class A { dev.caliber.two.B b; }",
                "B.java", "package dev.caliber.two; public class B { dev.caliber.one.A a; }"));
    assertThat(PackageCycles.findings(classes)).isNotEmpty();
  }

  @Test
  void modulesImportOnlyWhatTheTableAllows() {
    assertThat(AllowedImports.findings(Repository.classes(Repository.modules()))).isEmpty();
  }

  @Test
  void everyModuleIsInTheTable() {
    assertThat(AllowedImports.TABLE.keySet())
        .containsAll(Repository.modules().stream().filter(m -> !m.equals("gates")).toList());
  }

  @Test
  void anImportAgainstTheDirectionIsFound() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "Low.java",
                    "package dev.caliber.kernel; public class Low { dev.caliber.store.High[] high; }",
                "High.java", "package dev.caliber.store; public class High {}"));
    assertThat(AllowedImports.findings(classes))
        .singleElement()
        .hasToString(
            "dev.caliber.kernel.Low: module 'kernel' may not import module 'store'"
                + " (dev.caliber.store.High)");
  }

  @Test
  void modelsMayImportEverySpiButNothingElseOfAModule() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "M.java",
                    "package dev.caliber.models; class M { dev.caliber.memory.spi.S s; dev.caliber.memory.T t; }",
                "S.java", "package dev.caliber.memory.spi; public interface S {}",
                "T.java", "package dev.caliber.memory; public interface T {}"));
    assertThat(AllowedImports.findings(classes))
        .extracting(GateFinding::what)
        .allMatch(what -> what.contains("memory.T"));
    assertThat(AllowedImports.findings(classes)).hasSize(1);
  }

  @Test
  void aModuleThatIsNotInTheTableMayImportNothing() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "N.java", "package dev.caliber.novel; class N { dev.caliber.kernel.K k; }",
                "K.java", "package dev.caliber.kernel; public class K {}"));
    assertThat(AllowedImports.findings(classes)).hasSize(1);
  }

  @Test
  void modulesUseOnlyExportedPackagesOfOthers() {
    var classes = Repository.classes(Repository.modules());
    assertThat(ExportedPackages.findings(classes)).isEmpty();
    assertThat(ExportedPackages.unknownNames(classes)).isEmpty();
  }

  @Test
  void everyModuleSaysWhatItExports() {
    assertThat(ExportedPackages.EXPORTED.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Repository.modules().stream().filter(m -> !m.equals("gates")).toList());
  }

  @Test
  void aUseOfAPackageThatIsNotExportedIsFound() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "U.java",
                    "package dev.caliber.memory; class U { dev.caliber.store.hidden.H.Inner[] h;"
                        + " dev.caliber.store.S s; }",
                "H.java",
                    "package dev.caliber.store.hidden; public class H { public static class Inner {}"
                        + " H self; }",
                "S.java", "package dev.caliber.store; public class S {}"));
    assertThat(ExportedPackages.findings(classes))
        .singleElement()
        .hasToString(
            "dev.caliber.memory.U: package 'store.hidden' is not exported by module 'store'"
                + " (dev.caliber.store.hidden.H)");
  }

  @Test
  void onlyTheCommandLineAndTheBenchPrint() {
    var silent =
        Repository.modules().stream()
            .filter(module -> !List.of("app", "bench").contains(module))
            .toList();
    assertThat(StandardStreams.findings(Repository.classes(silent))).isEmpty();
  }

  @Test
  void aPrintingClassIsFound() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "P.java",
                "package dev.caliber.store; class P { void p() { System.out.println(); } }"));
    assertThat(StandardStreams.findings(classes)).hasSize(1);
  }

  @Test
  @DisplayName("MEMV-05: only the search package uses the index's library")
  void theIndexIsUsedByOnePackageOnly() {
    assertThat(IndexBackend.findings(Repository.classes(Repository.productModules()))).isEmpty();
  }

  @Test
  @DisplayName("MEMV-05: a second user of the index's library is found")
  void aSecondUserOfTheIndexIsFound() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "R.java",
                "package dev.caliber.memory; class R { org.apache.lucene.index.Term t; }",
                "Term.java",
                "package org.apache.lucene.index; public class Term {}"));
    assertThat(IndexBackend.findings(classes))
        .extracting(GateFinding::place)
        .containsOnly("dev.caliber.memory.R");
  }

  @Test
  @DisplayName("ARC-11: every shared primitive has one implementation, in the kernel")
  void sharedPrimitivesAreUsedInTheKernelOnly() {
    var others =
        Repository.productModules().stream().filter(module -> !module.equals("kernel")).toList();
    assertThat(SharedPrimitives.findings(Repository.classes(others))).isEmpty();
  }

  @Test
  @DisplayName("ARC-11: a second way to hash or to map JSON is found")
  void aSecondImplementationIsFound() throws IOException {
    var classes =
        CompiledSamples.compile(
            directory,
            Map.of(
                "H.java",
                "package dev.caliber.store; class H { Object h() throws Exception {"
                    + " return java.security.MessageDigest.getInstance(\"SHA-256\"); } }"));
    assertThat(SharedPrimitives.findings(classes)).hasSize(1);
  }
}
