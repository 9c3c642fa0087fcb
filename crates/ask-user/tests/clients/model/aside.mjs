// Replies to what clients ask besides the conversation.

/** The least value that fits a JSON schema: what a classifier wants to hear is its form. */
export function least(schema = {}) {
  const type = String([schema.type ?? "object"].flat()[0]).toLowerCase();
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return least(schema.anyOf[0]);
  if (type === "object") {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, least(value)]));
  }
  return { string: "none", number: 1, integer: 1, boolean: false, array: [] }[type] ?? null;
}

/** What a request without a model in it gets. */
export function aside(path) {
  if (path.includes("count_tokens") || path.endsWith(":countTokens")) return { input_tokens: 10, totalTokens: 10 };
  if (path.endsWith("/models")) {
    return { object: "list", data: [{ id: "scripted", object: "model", owned_by: "nobody" }], models: [] };
  }
  return {};
}

/** A result's content, as the text a model would read. */
export function text(content) {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(text).join("");
  if (typeof content?.text === "string") return content.text;
  return content === undefined || content === null ? "" : JSON.stringify(content);
}
