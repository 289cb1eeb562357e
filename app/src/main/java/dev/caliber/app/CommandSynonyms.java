package dev.caliber.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** Command names of other tools, and the command that does the same here. */
final class CommandSynonyms {
  private static final Map<String, List<String>> WORDS =
      Map.ofEntries(
          Map.entry("serve", List.of("server", "start", "run", "up", "listen", "studio", "ui")),
          Map.entry("remember", List.of("add", "save", "store", "write", "put", "note", "insert")),
          Map.entry("recall", List.of("search", "query", "ask", "find", "get", "retrieve")),
          Map.entry("forget", List.of("delete", "remove", "rm", "drop", "erase")),
          Map.entry("assemble", List.of("context", "compose", "window", "prompt")),
          Map.entry("stats", List.of("status", "info", "list", "ls", "show", "count")),
          Map.entry("compact", List.of("vacuum", "shrink", "optimize")),
          Map.entry("doctor", List.of("check", "fsck", "repair", "verify", "diagnose")),
          Map.entry("init", List.of("setup", "new", "create", "configure")),
          Map.entry("keys", List.of("key", "login", "auth", "token", "apikey")),
          Map.entry("spaces", List.of("space", "tenant", "tenants", "workspace", "workspaces")),
          Map.entry("connect", List.of("install", "claude", "cursor", "vscode", "editor")),
          Map.entry("feed tail", List.of("tail", "watch", "follow", "log", "logs", "events")));

  private CommandSynonyms() {}

  /** Returns the command for a word; applies to top-level commands only. */
  static Optional<String> commandFor(String word, CommandLine below) {
    return WORDS.entrySet().stream()
        .filter(entry -> below.getParent() == null && entry.getValue().contains(word))
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
