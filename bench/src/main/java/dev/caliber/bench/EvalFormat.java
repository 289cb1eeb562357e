package dev.caliber.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The layouts of data sets that can be read. */
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

  /** How deep a list the protocol looks at. */
  int depth() {
    return this == CACM ? EvalProtocol.TREC_DEPTH : EvalProtocol.DEPTH;
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
