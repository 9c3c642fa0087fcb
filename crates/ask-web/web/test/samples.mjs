// Asks of every kind, in the form of the hub's HTTP API, for the fake hub.

const doc = (text, links = []) => ({
  blocks: text.split("\n\n").map((part) => {
    const code = /^```(\w*)\n([\s\S]*?)\n?```$/.exec(part);
    if (code) return { kind: "code", language: code[1], text: code[2] };
    if (/^[-*] /.test(part)) return { kind: "list", items: part.split("\n").map((line) => ({ mark: "-", blocks: [{ kind: "paragraph", lines: [spans(line.slice(2))] }] })) };
    return { kind: "paragraph", lines: part.split("\n").map(spans) };
  }),
  links,
});
const spans = (line) =>
  line.split(/(`[^`]+`|\*\*[^*]+\*\*|<0:[^>]+>)/).filter(Boolean).map((part) => {
    if (part.startsWith("`")) return { text: part.slice(1, -1), code: true };
    if (part.startsWith("**")) return { text: part.slice(2, -2), strong: true };
    if (part.startsWith("<0:")) return { text: part.slice(3, -1), link: 0 };
    return { text: part };
  });

const minutes = (count) => new Date(Date.now() + count * 60_000).toISOString();
let count = 0;

/** One ask, with its display data made from its questions. */
export function ask({ links, ...given }) {
  count += 1;
  const record = { askId: `ask_${String(count).padStart(4, "0")}`, state: "waiting", dialect: "native", askedAt: minutes(-4), waiters: 1, ...given };
  record.questions = record.questions.map((question, at) => ({ questionId: `q${at + 1}`, required: true, ...question }));
  const title = record.title ?? record.questions[0].question.replace(/[`*]/g, "").split("\n")[0];
  record.shown = {
    title,
    asker: record.asker,
    ...(record.context ? { context: doc(record.context, links) } : {}),
    questions: record.questions.map((question) => {
      const options = question.type === "confirm" ? [{ label: "Yes" }, { label: "No" }] : (question.options ?? []);
      return {
        title: question.header ?? question.question,
        text: doc(question.question),
        ...(question.placeholder ? { placeholder: question.placeholder } : {}),
        ...(question.default ? { default: question.default } : {}),
        choices: options.map(({ label, description, preview }) => {
          const short = label.replace(/ \(Recommended\)$/, "");
          return { label: short, ...(short === label ? {} : { recommended: true }), ...(description ? { description: doc(description) } : {}), ...(preview ? { preview: doc(preview) } : {}) };
        }),
      };
    }),
  };
  return record;
}

const claude = { client: "claude-code", clientVersion: "2.1", project: "shop-api", branch: "feat/orders", directory: "~/src/shop-api" };

export const database = () => ask({
  asker: claude, title: "Database and service name",
  context: "The orders service has to keep about **40,000 orders a day**. Staging runs PostgreSQL 16 already; nothing else in the company uses MongoDB.\n\n- orders are written once and read often\n- reports run at night\n\nSee <0:the decision record> for what was tried before.",
  links: ["https://docs.example.com/decisions/12"],
  questions: [
    {
      header: "Database", type: "select", question: "Which database should we use?",
      options: [
        { label: "PostgreSQL (Recommended)", description: "Battle-tested relational database; `jsonb` for the odd document", preview: "```sql\nCREATE TABLE orders (\n    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,\n    customer   bigint NOT NULL REFERENCES customers (id),\n    placed_at  timestamptz NOT NULL DEFAULT now(),\n    lines      jsonb NOT NULL\n);\nCREATE INDEX ON orders (customer, placed_at DESC);\n```" },
        { label: "SQLite", description: "Lightweight and file-based", preview: "```sql\nCREATE TABLE orders (id INTEGER PRIMARY KEY, lines TEXT);\n```" },
        { label: "MongoDB", description: "Documents without a schema" },
      ],
    },
    { header: "Service Name", type: "text", question: "What should the service be called?", placeholder: "orders-api" },
    {
      header: "Features", type: "multi-select", question: "Which features go into the first release?", required: false,
      options: [{ label: "Refunds" }, { label: "Partial shipments", description: "Needs the new warehouse interface" }, { label: "Invoices as PDF" }, { label: "Webhooks" }],
    },
  ],
});
export const confirm = () => ask({
  asker: { client: "codex", project: "infra", branch: "main" }, deadlineAt: minutes(2.7), askedAt: minutes(-2),
  questions: [{ type: "confirm", question: "Delete 15 stale preview environments?" }],
});
export const layout = () => ask({
  asker: { client: "opencode", project: "docs-site" }, askedAt: minutes(-62),
  questions: [{
    type: "select", question: "Which landing page layout do you want?",
    options: [
      { label: "Hero first", description: "One sentence, one button", preview: "```\n+--------------------------+\n|        ask once          |\n|   [ get started ]        |\n+--------------------------+\n| why | how | who          |\n+--------------------------+\n```" },
      { label: "Docs first", description: "Search and the five most read pages", preview: "```\n+--------------------------+\n| search [             ]   |\n+------+-------------------+\n| nav  | most read         |\n|      | 1. install        |\n+------+-------------------+\n```" },
    ],
  }],
});
export const text = () => ask({
  asker: { agent: "release-bot", project: "ledger" }, askedAt: minutes(-9),
  questions: [{ type: "text", question: "What should the release notes say about the **currency rounding** fix?\n\nThe change is in `rounding.rs`; amounts below one cent are now kept.", placeholder: "One or two sentences" }],
});
export const many = () => ask({
  asker: { client: "gemini-cli", project: "mobile", branch: "i18n" }, askedAt: minutes(-15),
  questions: [{ type: "multi-select", question: "Which languages are translated first?", options: ["German", "Spanish", "French", "Japanese (Recommended)", "Korean"].map((label) => ({ label })) }],
});
const answered = (record, values) => ({
  ...record, state: "answered", end: "answered", closed: true, delivered: true, waiters: 0, answeredBy: "terminal", answeredAt: minutes(-50), deliveredAt: minutes(-50), askedAt: minutes(-58), shownAt: minutes(-57), shownOn: "terminal",
  outcome: { answered: true, answers: record.questions.map((question, at) => ({ questionId: question.questionId, question: question.question, status: "answered", values: values[at] })) },
});

export function samples() {
  count = 0;
  return [
    database(), confirm(), layout(), text(), many(),
    { ...ask({ asker: claude, title: "Rename the module?", questions: [{ type: "confirm", question: "Rename `billing` to `invoicing`?" }] }), snoozedUntil: minutes(40) },
    { ...ask({ asker: { client: "codex", project: "infra" }, askedAt: minutes(-300), questions: [{ type: "select", question: "Which region is the fallback?", options: [{ label: "eu-west" }, { label: "us-east" }] }] }), waiters: 0 },
    { ...answered(ask({ asker: claude, questions: [{ type: "text", question: "Who reviews the schema?" }] }), [["Platform team"]]), closed: false, delivered: false },
    answered(ask({ asker: claude, title: "Retry policy", questions: [{ type: "select", question: "How often do we retry?", options: [{ label: "3 times" }, { label: "Never" }] }] }), [["3 times"]]),
    { ...answered(ask({ asker: { client: "codex", project: "infra" }, questions: [{ type: "confirm", question: "Drop the old cluster?" }] }), [[]]), state: "declined", end: "declined", outcome: { answers: [], reason: "Not before the audit." } },
    answered(ask({ asker: claude, questions: [{ type: "text", question: "What is the module called?" }] }), [["invoicing"]]),
  ];
}

const days = [...Array(14)].map((_, at) => ({ date: `2026-02-${String(at + 1).padStart(2, "0")}`, agents: [{ agent: "claude-code", asks: 3 + ((at * 7) % 9) }, { agent: "codex", asks: (at * 3) % 5 }] }));
export const stats = {
  asks: 143, answered: 121, took: { count: 130, medianMs: 94_000, p90Ms: 1_260_000 },
  outcomes: { answered: 112, late: 9, declined: 7, "ask-back": 4, expired: 8, withdrawn: 3 },
  days, hours: [8, 9, 10, 11, 13, 14, 15, 16, 17, 21].map((hour, at) => ({ hour, count: 5 + at, medianMs: 40_000 + at * 21_000, p90Ms: 300_000 })),
  surfaces: [{ surface: "terminal", count: 71, medianMs: 62_000, p90Ms: 600_000 }, { surface: "web", count: 38, medianMs: 140_000, p90Ms: 2_000_000 }, { surface: "dialog", count: 12, medianMs: 20_000, p90Ms: 90_000 }],
  agents: [{ agent: "claude-code", asks: 88, withOptions: 80, withRecommendation: 60, recommended: 44, another: 10, ownWords: 12, notes: 9, askBacks: 3 }, { agent: "codex", asks: 55, withOptions: 50, withRecommendation: 20, recommended: 12, another: 5, ownWords: 21, notes: 2, askBacks: 1 }],
  projects: [], waiting: 5, longestWaitingMs: 3_720_000, longestTodayMs: 5_400_000,
};
