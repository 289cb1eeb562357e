package dev.caliber.lang.diagnostic;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Pattern of one kind of secret. Every pattern reads a run of characters once: it begins only at
 * the start of such a run, or is bounded, so that every text takes linear time.
 *
 * @param title the kind, for people
 * @param hints words of which every text with a match contains one, in lower case
 */
record SecretShape(String title, Pattern pattern, SecretExtent counts, List<String> hints) {

  /** The part of a match that is the secret, and its conditions. */
  enum SecretExtent {
    WHOLE,
    VALUE,
    RANDOM_VALUE
  }

  private static final String VALUE = "value";

  static final List<SecretShape> ALL =
      List.of(
          whole("a key of OpenAI, Anthropic or their like", token("sk-[A-Za-z0-9_-]{20,}+"), "sk-"),
          whole(
              "a token of GitHub",
              token("(?:gh[pousr]_[A-Za-z0-9]{36,}+|github_pat_[A-Za-z0-9_]{22,}+)"),
              "ghp_",
              "gho_",
              "ghu_",
              "ghs_",
              "ghr_",
              "github_pat_"),
          whole("a token of GitLab", token("glpat-[A-Za-z0-9_-]{20,}+"), "glpat-"),
          whole(
              "a key of AWS",
              token("(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
              "akia",
              "asia",
              "abia",
              "acca"),
          whole("a key of Google", token("AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"), "aiza"),
          whole("a token of Slack", token("xox[abeoprs]-[A-Za-z0-9-]{10,}+"), "xox"),
          whole(
              "a key of Stripe",
              token("[rs]k_(?:live|test)_[A-Za-z0-9]{16,}+"),
              "k_live_",
              "k_test_"),
          whole("a token of Hugging Face", token("hf_[A-Za-z0-9]{30,}+"), "hf_"),
          whole("a token of npm", token("npm_[A-Za-z0-9]{36,}+"), "npm_"),
          whole(
              "a key of SendGrid", token("SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}+"), "sg."),
          whole(
              "a JSON web token",
              token("eyJ[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]{8,}+"),
              ".eyj"),
          whole(
              "a private key",
              "-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----",
              "private key"),
          part(
              "an address with a password",
              "(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\\s:/?#@]{0,255}:(?<value>[^\\s/?#@$]{1,255})@",
              "://"),
          random(
              "a bearer token",
              "(?i:bearer)[ \\t]{1,4}(?<value>[A-Za-z0-9._~+/=-]{16,512})",
              "bearer"),
          random(
              "a secret value",
              "(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_ -]?key|access[_ -]?key|private[_ -]?key|credentials?)"
                  + "[A-Za-z0-9_]{0,32}[\"'`]?[ \\t]{0,8}(?:=>|:=|[:=])[ \\t]{0,8}[\"'`]?(?<value>[^\\s\"'`,;<>(){}\\[\\]$]{16,512})",
              "passw",
              "passphrase",
              "pwd",
              "secret",
              "token",
              "key",
              "credential"));

  private static SecretShape whole(String title, String pattern, String... hints) {
    return new SecretShape(title, Pattern.compile(pattern), SecretExtent.WHOLE, List.of(hints));
  }

  private static SecretShape part(String title, String pattern, String... hints) {
    return new SecretShape(title, Pattern.compile(pattern), SecretExtent.VALUE, List.of(hints));
  }

  private static SecretShape random(String title, String pattern, String... hints) {
    return new SecretShape(
        title, Pattern.compile(pattern), SecretExtent.RANDOM_VALUE, List.of(hints));
  }

  /** Returns the pattern for a run of characters that does not continue to the left. */
  private static String token(String pattern) {
    return "(?<![A-Za-z0-9_-])" + pattern;
  }

  /** Returns the matches; the text in lower case quickly excludes texts without any. */
  Stream<MatchResult> find(String text, String lowerCase) {
    return hints.stream().anyMatch(lowerCase::contains)
        ? pattern.matcher(text).results()
        : Stream.empty();
  }

  int from(MatchResult match) {
    return counts == SecretExtent.WHOLE ? match.start() : match.start(VALUE);
  }

  int to(MatchResult match) {
    return counts == SecretExtent.WHOLE ? match.end() : match.end(VALUE);
  }
}
