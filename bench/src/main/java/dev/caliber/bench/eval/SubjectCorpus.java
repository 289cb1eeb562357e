package dev.caliber.bench.eval;

import java.util.List;

/** The records of one subject, and the questions about them. */
record SubjectCorpus(SubjectRecords records, List<EvalQuestion> questions) {
  SubjectCorpus {
    questions = List.copyOf(questions);
  }
}
