// The page's messages, from the Fluent catalog that terminal and notifications use as well: one file for each language. The
// page reads JSON, which needs no parser: each message is a text, or for a plural the texts for one and for others, with the
// names of its placeholders.
import { readFile, readdir } from "node:fs/promises";
import { FluentParser } from "@fluent/syntax";

const CATALOG = new URL("../../ask-config/locales/", import.meta.url);
const PREFIX = "web-";

export const languages = async () => (await readdir(CATALOG, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();

/** The messages of a language by their ids. */
export async function wordsOf(language) {
  const file = new URL(`${language}/web.ftl`, CATALOG);
  const { body } = new FluentParser({ withSpans: false }).parse(await readFile(file, "utf8"));
  const junk = body.find(({ type }) => type === "Junk");
  if (junk) throw new Error(`${language}/web.ftl: ${junk.annotations[0]?.message}: ${junk.content.trim().split("\n")[0]}`);
  const messages = body.filter(({ type }) => type === "Message");
  return Object.fromEntries(messages.map(({ id, value }) => {
    if (!id.name.startsWith(PREFIX)) throw new Error(`${language}/web.ftl: ${id.name} doesn't begin with ${PREFIX}`);
    return [id.name.slice(PREFIX.length), forms(value, `${language}/web.ftl: ${id.name}`)];
  }));
}

function forms({ elements }, where) {
  const choice = elements[0].expression;
  if (elements.length > 1 || choice?.type !== "SelectExpression") return text(elements, where);
  const [one, other] = choice.variants;
  if (choice.selector.id?.name !== "count" || choice.variants.length !== 2 || one.key.name !== "one" || !other.default) {
    throw new Error(`${where}: the page knows only { $count -> [one] … *[other] … }`);
  }
  return [text(one.value.elements, where), text(other.value.elements, where)];
}

function text(elements, where) {
  return elements.map(({ type, value, expression }) => {
    if (type === "TextElement") return value;
    if (expression.type === "StringLiteral") return expression.value;
    if (expression.type === "VariableReference") return `{${expression.id.name}}`;
    throw new Error(`${where}: the page fills in names only`);
  }).join("");
}
