package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Turn;
import dev.caliber.models.Models;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber remember}. */
@Command(
    name = "remember",
    header = "Remember a sentence as a note, or as a turn of a session.",
    description = {
      "Writes one note. With --session, appends a turn to that session instead; the first one"
          + " begins it. Makes the store if there is none. Durable on return.",
      "The same note twice stays one note; a note that contradicts another is kept beside it, and"
          + " both say so."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber remember \"I prefer window seats\" --subject alice",
      "  caliber remember \"The deploy runs on Tuesdays\" --about deploy --type fact",
      "  caliber remember \"Where is my parcel?\" --session thread-7 --role user",
      "  cat answer.txt | caliber remember - --session thread-7 --role assistant",
    })
final class RememberCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "TEXT", description = "What to remember; - is the standard input.")
  private String text = "";

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description = "The person or thing whose memory it is.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--about",
      paramLabel = "NAME",
      description = "What the note is about. Without it: the subject, else the space.")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "fact, preference, convention, strategy, gotcha, relationship, procedure or meta. Without"
              + " it: a preference if it reads like one, else a fact.")
  private Optional<String> type = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description =
          "Append it to this session as a turn, verbatim. What a user states in it becomes notes"
              + " (memory.notes.from-turns).")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "Who says it: user, assistant or system. Without it: user.")
  private Optional<Role> role = Optional.empty();

  RememberCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  /** A note beside one that it contradicts. */
  private record Against(Id id, String text) {}

  private record Remembered(Note note, List<Against> conflicts) {}

  /** What a server answers: a note or a turn. */
  private record Answer(
      Optional<Note> note, Optional<Turn> turn, List<Note> notes, List<Against> conflicts) {}

  @Override
  public Integer call() throws IOException {
    requireFit();
    String words = SourceFile.words(workbench, text);
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        ask(remote, words);
      }
      return ExitCode.OK.number();
    }
    SpaceId space = workbench.space();
    try (OpenStore store = workbench.openOrCreate();
        Models models = workbench.chatModel()) {
      Memory memory = OpenMemory.over(workbench, store, models);
      if (session.isPresent()) {
        append(memory, space, session.get(), words);
      } else {
        write(memory, space, words);
      }
    }
    return ExitCode.OK.number();
  }

  private void requireFit() {
    if (session.isPresent() && (about.isPresent() || type.isPresent())) {
      throw AppException.optionsDoNotFit(
          "--about and --type are for notes, and --session appends a turn", "Leave out one side.");
    }
    if (role.isPresent() && session.isEmpty()) {
      throw AppException.optionsDoNotFit(
          "--role says who speaks in a session, and no --session is named", "Name the session.");
    }
    if (role.filter(Role.TOOL::equals).isPresent()) {
      throw AppException.optionsDoNotFit(
          "--role tool: a tool's result belongs to a call, which a text has not",
          "Append tool calls and results with the library.");
    }
  }

  private void ask(Remote remote, String words) {
    ObjectNode input = Remote.input().put("text", words);
    Remote.put(input, "subject", subject);
    Remote.put(input, "about", about);
    Remote.put(input, "type", type.map(FilterOptions::noteType));
    Remote.put(input, "session", session);
    Remote.put(input, "role", role);
    Answer answer = remote.post("/remember", input, Answer.class);
    answer.note().ifPresent(note -> show(note, answer.conflicts()));
    answer.turn().ifPresent(turn -> show(turn, answer.notes()));
  }

  /** A turn, and what is stated in it. */
  private record Said(Turn turn, List<Note> notes) {}

  private void show(Turn turn, List<Note> notes) {
    workbench.output().result(new Said(turn, notes), () -> print(turn, notes));
  }

  private void print(Turn turn, List<Note> notes) {
    Terminal terminal = workbench.terminal();
    terminal.line(
        "Turn %d of session '%s': %s"
            .formatted(turn.position() + 1, session.orElse(""), turn.id()));
    for (Note note : notes) {
      terminal.line(
          "Noted as %s: %s (%s)"
              .formatted(
                  FilterOptions.word(note.type()), TextTable.cut(note.content()), note.id()));
    }
  }

  private void show(Note note, List<Against> conflicts) {
    workbench.output().result(new Remembered(note, conflicts), () -> print(note, conflicts));
  }

  private void append(Memory memory, SpaceId space, String name, String words) {
    NewTurn turn = NewTurn.of(role.orElse(Role.USER), Part.text(words));
    Labels labels = subject.map(Labels::ofSubject).orElse(Labels.none());
    Appended said = memory.remember(space, name, List.of(turn.labelled(labels)));
    show(said.first(), said.notes());
  }

  private void write(Memory memory, SpaceId space, String words) {
    Remember wish = new Remember(words, subject, about, type.map(FilterOptions::noteType));
    Note note = memory.remember(space, wish);
    List<Against> conflicts =
        memory.view(
            space,
            view ->
                note.conflictsWith().stream()
                    .map(id -> new Against(id, view.note(id).content()))
                    .toList());
    show(note, conflicts);
  }

  private void print(Note note, List<Against> conflicts) {
    Terminal terminal = workbench.terminal();
    terminal.line(
        "Remembered %s about '%s': %s"
            .formatted(FilterOptions.word(note.type()), note.entity(), note.id()));
    for (Against other : conflicts) {
      terminal.line(
          terminal.warn("It contradicts ") + other.id() + ": " + TextTable.cut(other.text()));
    }
  }
}
