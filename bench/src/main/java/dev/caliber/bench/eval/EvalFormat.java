package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Supported layouts of data sets. */
enum EvalFormat {
  LOCOMO,
  BEAM,
  CACM,
  REALTALK,
  BEIR,
  HOTPOT;

  List<EvalCorpus> read(Path data) {
    List<EvalCorpus> corpora = corpora(data);
    if (corpora.stream().allMatch(corpus -> corpus.questions().isEmpty())) {
      throw BenchException.badData(data, "the data set", "questions", "none");
    }
    if (corpora.stream().allMatch(corpus -> corpus.documents().isEmpty())) {
      throw BenchException.badData(data, "the data set", "documents", "none");
    }
    return corpora;
  }

  private List<EvalCorpus> corpora(Path data) {
    return switch (this) {
      case LOCOMO -> LocomoReader.read(data);
      case BEAM -> BeamReader.read(data);
      case CACM -> CacmReader.read(data);
      case REALTALK -> RealtalkReader.read(data);
      case BEIR -> BeirReader.read(data);
      case HOTPOT -> HotpotReader.read(data);
    };
  }

  /** Returns the depth of list that the protocol scores. */
  int depth() {
    return this == CACM ? EvalProtocol.TREC_DEPTH : EvalProtocol.DEPTH;
  }

  /** Returns the name as it is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
