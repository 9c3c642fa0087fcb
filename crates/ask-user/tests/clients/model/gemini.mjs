// Gemini's generateContent: Gemini CLI. Its calls have no ids of their own, so that order tells.
import { least, text } from "./aside.mjs";

export const serves = (path) => /:(stream)?[gG]enerateContent$/.test(path);
export const streams = (path) => path.endsWith(":streamGenerateContent");

export function read(sent) {
  const { contents = [], tools = [] } = sent.request ?? sent;
  const parts = contents.flatMap((content) => content.parts ?? []);
  const calls = parts.filter((part) => part.functionCall).map(({ functionCall: { id, name } }) => ({ id, name }));
  const results = parts
    .filter((part) => part.functionResponse)
    .map(({ functionResponse: { id, name, response } }) => ({ id, name, text: text(response?.output ?? response) }));
  const offered = tools.flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => ({ name }));
  return { tools: offered, calls, results };
}

export function housekeeping(sent) {
  const { responseJsonSchema, responseSchema, responseMimeType } = (sent.request ?? sent).generationConfig ?? {};
  const schema = responseJsonSchema ?? responseSchema;
  if (schema) return JSON.stringify(least(schema));
  return responseMimeType === "application/json" ? "{}" : "A question for the person";
}

export function whole(_, { text: said, calls }) {
  const parts = calls
    ? calls.map(({ id, tool, arguments: args }) => ({ functionCall: { id, name: tool.name, args } }))
    : [{ text: said }];
  const candidates = [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }];
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
  return { candidates, usageMetadata, modelVersion: "scripted", responseId: "1" };
}

export function* events(sent, says) {
  yield `data: ${JSON.stringify(whole(sent, says))}\r\n\r\n`;
}
