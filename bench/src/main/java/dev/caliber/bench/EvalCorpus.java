package dev.caliber.bench;

import java.util.List;

/** What is searched together, such as one conversation, and the questions about it. */
record EvalCorpus(String id, List<EvalDocument> documents, List<EvalQuestion> questions) {
  EvalCorpus {
    documents = List.copyOf(documents);
    questions = List.copyOf(questions);
  }
}
