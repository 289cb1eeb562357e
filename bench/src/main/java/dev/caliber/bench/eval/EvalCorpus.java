package dev.caliber.bench.eval;

import java.util.List;

/** Documents searched together, such as one conversation, and the questions about them. */
record EvalCorpus(String id, List<EvalDocument> documents, List<EvalQuestion> questions) {
  EvalCorpus {
    documents = List.copyOf(documents);
    questions = List.copyOf(questions);
  }
}
