package dev.caliber.bench;

import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.text.Contradiction;
import dev.caliber.memory.text.PlainReader;
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
 * What the rules find in chats, and what is labelled in them.
 *
 * @param compared how many pairs were held against each other
 */
record ContradictionScore(long compared, List<Found> found, List<Question> asked) {

  private static final String CONTRADICTIONS = "contradiction_resolution";
  private static final String UPDATES = "knowledge_update";
  private static final String USER = "user";

  /** What a pair is labelled as. */
  enum Label {
    CONTRADICTION,
    UPDATE,
    NONE
  }

  /** Two messages of a chat, in their order. */
  record Pair(String chat, String one, String other) {}

  /** A pair that a rule found, and the words that it went by. */
  record Found(Pair pair, Contradiction why, Label label) {

    /** What was never so and is so later is a change, and counted apart. */
    boolean isContradiction() {
      return why.kind() != Contradiction.Kind.CHANGE;
    }
  }

  /** A question about a contradiction, and the pairs that are of its two sides. */
  record Question(String id, String text, Set<Pair> pairs, boolean answered) {}

  static ContradictionScore of(EvalCorpus chat) {
    PlainReader reader = PlainReader.of(MemoryConfig.starter().text());
    List<EvalDocument> said =
        chat.documents().stream()
            .filter(message -> message.speaker().equals(Optional.of(USER)))
            .toList();
    Set<Pair> contradictions = labelled(chat, CONTRADICTIONS);
    Set<Pair> updates = labelled(chat, UPDATES);
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < said.size(); i++) {
      for (int j = i; j < said.size(); j++) {
        Pair pair = new Pair(chat.id(), said.get(i).id(), said.get(j).id());
        reader
            .contradiction(said.get(i).text(), said.get(j).text())
            .map(why -> new Found(pair, why, label(pair, contradictions, updates)))
            .ifPresent(found::add);
      }
    }
    long pairs = (long) said.size() * (said.size() + 1) / 2;
    return new ContradictionScore(pairs, found, questions(chat, found));
  }

  static ContradictionScore total(List<ContradictionScore> scores) {
    return new ContradictionScore(
        scores.stream().mapToLong(ContradictionScore::compared).sum(),
        scores.stream().flatMap(score -> score.found.stream()).toList(),
        scores.stream().flatMap(score -> score.asked.stream()).toList());
  }

  private static Label label(Pair pair, Set<Pair> contradictions, Set<Pair> updates) {
    return contradictions.contains(pair)
        ? Label.CONTRADICTION
        : updates.contains(pair) ? Label.UPDATE : Label.NONE;
  }

  private static Set<Pair> labelled(EvalCorpus chat, String category) {
    Set<Pair> pairs = new HashSet<>();
    chat.questions().stream()
        .filter(question -> question.category().equals(category))
        .forEach(question -> pairs.addAll(pairs(chat, question)));
    return pairs;
  }

  /** Each message of one side with each of the other; a message may contradict itself. */
  private static Set<Pair> pairs(EvalCorpus chat, EvalQuestion question) {
    Set<Pair> pairs = new HashSet<>();
    if (question.sides().size() > 1) {
      for (String one : question.sides().getFirst()) {
        question.sides().stream()
            .skip(1)
            .flatMap(Set::stream)
            .forEach(other -> pairs.add(ordered(chat, one, other)));
      }
    }
    return pairs;
  }

  private static Pair ordered(EvalCorpus chat, String one, String other) {
    return place(chat, one) <= place(chat, other)
        ? new Pair(chat.id(), one, other)
        : new Pair(chat.id(), other, one);
  }

  private static long place(EvalCorpus chat, String id) {
    return chat.documents().stream()
        .filter(message -> message.id().equals(id))
        .findFirst()
        .map(EvalDocument::position)
        .orElse(-1L);
  }

  private static List<Question> questions(EvalCorpus chat, List<Found> found) {
    List<Question> asked = new ArrayList<>();
    for (EvalQuestion question : chat.questions()) {
      if (question.category().equals(CONTRADICTIONS)) {
        Set<Pair> pairs = pairs(chat, question);
        boolean answered =
            found.stream()
                .filter(Found::isContradiction)
                .map(Found::pair)
                .anyMatch(pairs::contains);
        asked.add(new Question(question.id(), question.text(), pairs, answered));
      }
    }
    return asked;
  }

  long questions() {
    return asked.size();
  }

  long answered() {
    return asked.stream().filter(Question::answered).count();
  }

  /** How many pairs were found to contradict each other. */
  long claimed() {
    return found.stream().filter(Found::isContradiction).count();
  }

  long right() {
    return claimed(Label.CONTRADICTION);
  }

  long updates() {
    return claimed(Label.UPDATE);
  }

  private long claimed(Label label) {
    return found.stream().filter(each -> each.isContradiction() && each.label == label).count();
  }

  /** What each rule found. */
  Map<String, List<Found>> rules() {
    Map<String, List<Found>> rules = new TreeMap<>();
    found.forEach(
        each ->
            rules
                .computeIfAbsent(
                    each.why.kind().name().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                .add(each));
    return rules;
  }

  /** Every pair that was found, then every question that was not. */
  List<Map<String, Object>> receipts() {
    return Stream.concat(
            found.stream().map(ContradictionScore::receipt),
            asked.stream().filter(each -> !each.answered).map(ContradictionScore::missed))
        .toList();
  }

  private static Map<String, Object> receipt(Found found) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("chat", found.pair.chat);
    receipt.put("one", found.pair.one);
    receipt.put("other", found.pair.other);
    receipt.put("label", found.label.name().toLowerCase(Locale.ROOT));
    receipt.put("rule", found.why.kind().name().toLowerCase(Locale.ROOT));
    receipt.put("one_says", found.why.one());
    receipt.put("other_says", found.why.other());
    return receipt;
  }

  private static Map<String, Object> missed(Question question) {
    Map<String, Object> receipt = new LinkedHashMap<>();
    receipt.put("missed", question.id);
    receipt.put("question", question.text);
    receipt.put("pairs", question.pairs.stream().map(pair -> pair.one + "-" + pair.other).toList());
    return receipt;
  }
}
