package dev.caliber.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The layouts of data sets that can be read. */
enum EvalFormat {
  LOCOMO(LocomoReader::read),
  BEAM(BeamReader::read),
  CACM(CacmReader::read),
  REALTALK(RealtalkReader::read),
  BEIR(BeirReader::read),
  HOTPOT(HotpotReader::read);

  private final Function<Path, List<EvalCorpus>> reader;

  EvalFormat(Function<Path, List<EvalCorpus>> reader) {
    this.reader = reader;
  }

  List<EvalCorpus> read(Path data) {
    List<EvalCorpus> corpora = reader.apply(data);
    if (corpora.stream().allMatch(corpus -> corpus.questions().isEmpty())) {
      throw BenchException.badData(data, "the data set", "questions", "none");
    }
    return corpora;
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
