package dev.caliber.bench.eval;

import dev.caliber.memory.text.Contradiction;
import dev.caliber.memory.text.RuleBasedTextAnalyzer;
import dev.caliber.memory.view.MemoryConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Contradictions that the rules find in chats, compared with the labelled ones.
 *
 * @param compared the number of compared pairs
 */
record ContradictionScore(
    long compared, List<FoundContradiction> found, List<ContradictionQuestion> asked) {

  private static final String CONTRADICTIONS = "contradiction_resolution";
  private static final String UPDATES = "knowledge_update";
  private static final String USER = "user";

  /** The label of a pair. */
  enum PairLabel {
    CONTRADICTION,
    UPDATE,
    NONE
  }

  /** Two messages of a chat, in their order. */
  record MessagePair(String chat, String one, String other) {}

  /** A pair that a rule found, and the words that matched. */
  record FoundContradiction(MessagePair pair, Contradiction why, PairLabel label) {

    /** Returns whether it is a contradiction; a later "not any more" is a change, counted apart. */
    boolean isContradiction() {
      return why.kind() != Contradiction.ContradictionKind.CHANGE;
    }
  }

  /** A question about a contradiction, and the pairs of its two sides. */
  record ContradictionQuestion(String id, String text, Set<MessagePair> pairs, boolean answered) {}

  static ContradictionScore of(EvalCorpus chat) {
    RuleBasedTextAnalyzer reader = RuleBasedTextAnalyzer.of(MemoryConfig.starter().text());
    List<EvalDocument> said =
        chat.documents().stream()
            .filter(message -> message.speaker().equals(Optional.of(USER)))
            .toList();
    Set<MessagePair> contradictions = labelledPairs(chat, CONTRADICTIONS);
    Set<MessagePair> updates = labelledPairs(chat, UPDATES);
    List<FoundContradiction> found = new ArrayList<>();
    for (int i = 0; i < said.size(); i++) {
      for (int j = i; j < said.size(); j++) {
        MessagePair messagePair = new MessagePair(chat.id(), said.get(i).id(), said.get(j).id());
        reader
            .findContradiction(said.get(i).text(), said.get(j).text())
            .map(
                why ->
                    new FoundContradiction(
                        messagePair, why, labelOf(messagePair, contradictions, updates)))
            .ifPresent(found::add);
      }
    }
    long pairs = (long) said.size() * (said.size() + 1) / 2;
    return new ContradictionScore(pairs, found, contradictionQuestions(chat, found));
  }

  static ContradictionScore total(List<ContradictionScore> scores) {
    return new ContradictionScore(
        scores.stream().mapToLong(ContradictionScore::compared).sum(),
        scores.stream().flatMap(score -> score.found.stream()).toList(),
        scores.stream().flatMap(score -> score.asked.stream()).toList());
  }

  private static PairLabel labelOf(
      MessagePair messagePair, Set<MessagePair> contradictions, Set<MessagePair> updates) {
    return contradictions.contains(messagePair)
        ? PairLabel.CONTRADICTION
        : updates.contains(messagePair) ? PairLabel.UPDATE : PairLabel.NONE;
  }

  private static Set<MessagePair> labelledPairs(EvalCorpus chat, String category) {
    Set<MessagePair> pairs = new HashSet<>();
    chat.questions().stream()
        .filter(question -> question.category().equals(category))
        .forEach(question -> pairs.addAll(pairs(chat, question)));
    return pairs;
  }

  /** Returns each message of one side with each of the other; a message may contradict itself. */
  private static Set<MessagePair> pairs(EvalCorpus chat, EvalQuestion question) {
    Set<MessagePair> pairs = new HashSet<>();
    if (question.sides().size() > 1) {
      for (String one : question.sides().getFirst()) {
        question.sides().stream()
            .skip(1)
            .flatMap(Set::stream)
            .forEach(other -> pairs.add(orderedPair(chat, one, other)));
      }
    }
    return pairs;
  }

  private static MessagePair orderedPair(EvalCorpus chat, String one, String other) {
    return positionOf(chat, one) <= positionOf(chat, other)
        ? new MessagePair(chat.id(), one, other)
        : new MessagePair(chat.id(), other, one);
  }

  private static long positionOf(EvalCorpus chat, String id) {
    return chat.documents().stream()
        .filter(message -> message.id().equals(id))
        .findFirst()
        .map(EvalDocument::position)
        .orElse(-1L);
  }

  private static List<ContradictionQuestion> contradictionQuestions(
      EvalCorpus chat, List<FoundContradiction> found) {
    List<ContradictionQuestion> asked = new ArrayList<>();
    for (EvalQuestion question : chat.questions()) {
      if (question.category().equals(CONTRADICTIONS)) {
        Set<MessagePair> pairs = pairs(chat, question);
        boolean answered =
            found.stream()
                .filter(FoundContradiction::isContradiction)
                .map(FoundContradiction::pair)
                .anyMatch(pairs::contains);
        asked.add(new ContradictionQuestion(question.id(), question.text(), pairs, answered));
      }
    }
    return asked;
  }

  long questionCount() {
    return asked.size();
  }

  long answeredQuestions() {
    return asked.stream().filter(ContradictionQuestion::answered).count();
  }

  /** Returns the number of pairs that the rules found contradictory. */
  long claimedPairs() {
    return found.stream().filter(FoundContradiction::isContradiction).count();
  }

  long correctPairs() {
    return claimedPairs(PairLabel.CONTRADICTION);
  }

  long updatePairs() {
    return claimedPairs(PairLabel.UPDATE);
  }

  private long claimedPairs(PairLabel pairLabel) {
    return found.stream().filter(each -> each.isContradiction() && each.label == pairLabel).count();
  }

  /** Returns the findings of each rule. */
  Map<String, List<FoundContradiction>> foundByRule() {
    Map<String, List<FoundContradiction>> rules = new TreeMap<>();
    found.forEach(
        each ->
            rules
                .computeIfAbsent(
                    each.why.kind().name().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                .add(each));
    return rules;
  }

  /** Returns every pair that was found, then every question that was not. */
  List<Map<String, Object>> receipts() {
    return Stream.concat(
            found.stream().map(ContradictionScore::receipt),
            asked.stream().filter(each -> !each.answered).map(ContradictionScore::missedReceipt))
        .toList();
  }

  private static Map<String, Object> receipt(FoundContradiction foundContradiction) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("chat", foundContradiction.pair.chat);
    receipt.put("one", foundContradiction.pair.one);
    receipt.put("other", foundContradiction.pair.other);
    receipt.put("label", foundContradiction.label.name().toLowerCase(Locale.ROOT));
    receipt.put("rule", foundContradiction.why.kind().name().toLowerCase(Locale.ROOT));
    receipt.put("one_says", foundContradiction.why.one());
    receipt.put("other_says", foundContradiction.why.other());
    return receipt;
  }

  private static Map<String, Object> missedReceipt(ContradictionQuestion contradictionQuestion) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("missed", contradictionQuestion.id);
    receipt.put("question", contradictionQuestion.text);
    receipt.put(
        "pairs",
        contradictionQuestion.pairs.stream()
            .map(messagePair -> messagePair.one + "-" + messagePair.other)
            .toList());
    return receipt;
  }
}
