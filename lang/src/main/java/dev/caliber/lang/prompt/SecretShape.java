package dev.caliber.lang.prompt;

import java.util.regex.Pattern;

/**
 * What secrets look like. Every pattern reads a run of characters once: it begins only where such a
 * run does, or is bounded, so that no text takes more than linear time.
 */
enum SecretShape {
  OPENAI("a key of OpenAI, Anthropic or their like", token("sk-[A-Za-z0-9_-]{20,}+")),
  GITHUB(
      "a token of GitHub", token("(?:gh[pousr]_[A-Za-z0-9]{36,}+|github_pat_[A-Za-z0-9_]{22,}+)")),
  GITLAB("a token of GitLab", token("glpat-[A-Za-z0-9_-]{20,}+")),
  AWS("a key of AWS", token("(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])")),
  GOOGLE("a key of Google", token("AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])")),
  SLACK("a token of Slack", token("xox[abeoprs]-[A-Za-z0-9-]{10,}+")),
  STRIPE("a key of Stripe", token("[rs]k_(?:live|test)_[A-Za-z0-9]{16,}+")),
  HUGGING_FACE("a token of Hugging Face", token("hf_[A-Za-z0-9]{30,}+")),
  NPM("a token of npm", token("npm_[A-Za-z0-9]{36,}+")),
  SENDGRID("a key of SendGrid", token("SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}+")),
  JSON_WEB_TOKEN(
      "a JSON web token",
      token("eyJ[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]{8,}+")),
  PRIVATE_KEY("a private key", "-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
  ADDRESS(
      "an address with a password",
      "(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\\s:/?#@]{0,255}:(?<value>[^\\s/?#@$]{1,255})@"),
  BEARER("a bearer token", "(?i:bearer)[ \\t]{1,4}(?<value>[A-Za-z0-9._~+/=-]{16,512})"),
  ASSIGNMENT(
      "a secret value",
      "(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_ -]?key|access[_ -]?key|private[_ -]?key|credentials?)"
          + "[A-Za-z0-9_]{0,32}[\"'`]?[ \\t]{0,8}(?:=>|:=|[:=])[ \\t]{0,8}[\"'`]?(?<value>[^\\s\"'`,;<>(){}\\[\\]$]{16,512})");

  private final String title;
  private final Pattern pattern;

  SecretShape(String title, String pattern) {
    this.title = title;
    this.pattern = Pattern.compile(pattern);
  }

  /** A run of characters that does not go on to the left. */
  private static String token(String pattern) {
    return "(?<![A-Za-z0-9_-])" + pattern;
  }

  /** What it is, for people. */
  String title() {
    return title;
  }

  Pattern pattern() {
    return pattern;
  }

  /** Whether the value counts only if it looks like chance. */
  boolean weak() {
    return this == BEARER || this == ASSIGNMENT;
  }

  /** Whether the secret is only a part of what the pattern finds. */
  boolean hasValue() {
    return weak() || this == ADDRESS;
  }
}
