package dev.caliber.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** A model with scripted answers that keeps the last request. */
@NullMarked
final class ScriptedModel implements ChatModel {
  private final Deque<AiMessage> answers = new ArrayDeque<>();
  private final List<List<ChatMessage>> asked = new ArrayList<>();

  ScriptedModel says(AiMessage answer) {
    answers.add(answer);
    return this;
  }

  /** The messages of the last request. */
  List<ChatMessage> lastAsked() {
    return asked.getLast();
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    asked.add(List.copyOf(request.messages()));
    return ChatResponse.builder().aiMessage(answers.removeFirst()).build();
  }
}
