package dev.caliber.memory.text;

import java.util.regex.Pattern;

/** Kind of action that a clause reports, by its actor. */
enum ReportedAction {
  /** The speaker reports an action, a habit or a result of their own. */
  OWN,
  /** The speaker talks about themselves without an action: trying, fearing, having plans. */
  NONE,
  /** The clause is about another person or thing. */
  OTHERS;

  private static final Pattern SPEAKER =
      Pattern.compile("(?i)\\b(?:i|i['’]\\w+|we|we['’]\\w+|my|our|me|us)\\b");
  private static final String ADVERBS =
      "(?: (?:just|recently|already|only|also|finally|even|actually|been|successfully|now|currently"
          + "|then|usually|often|always|regularly|still))*+ ";
  private static final String UNDONE =
      "(?:want|need|tri|try|decid|plan|hop|wish|wonder|suppos|interest|think|consider|look|aim|going"
          + "|feel|struggl|hav|getting|starting|prepar|worr|confus|excit|hear|notic|expect|intend|stuck)";
  private static final Pattern OWN_DEED =
      Pattern.compile(
          "(?i)\\b(?:i|we)(?:['’]ve| have| had|['’]d)?"
              + ADVERBS
              + "(?!"
              + UNDONE
              + ")(?:\\w+ed|got|made|built|wrote|written|took|taken|did|done|began|begun|bought|chose|chosen"
              + "|found|gave|given|went|gone|held|kept|led|left|lost|met|paid|read|ran|said|seen|saw|sent|set|spent|taught|told|won)\\b|\\b(?:i|we)(?:['’]ve|"
              + " have) been (?!"
              + UNDONE
              + ")\\w+ing\\b"
              + "|\\b(?:i['’]m|i am|we['’]re|we are)"
              + ADVERBS
              + "(?!"
              + UNDONE
              + ")\\w+ing\\b"
              + "|\\b(?:i|we)"
              + ADVERBS
              + "(?:use|own|run|write|drive|eat|drink|play|speak|work|teach|read|wear|take)\\b|\\bmy(?:"
              + " [\\w-]++){1,5}? (?:improved|increased|dropped|rose|fell|went|of \\d|from"
              + " \\d)|\\bhere['’]s (?:my|our|what i have)\\b");

  static ReportedAction of(String clause) {
    if (!SPEAKER.matcher(clause).find()) {
      return OTHERS;
    }
    return OWN_DEED.matcher(clause).find() ? OWN : NONE;
  }
}
