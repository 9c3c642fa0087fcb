// Embeds ask-user by JSON lines (docs/reference/protocol.md). Needs Node 20 and no packages.
//
//   node ask-user.js ask '{"questions":[{"question":"Ship it?","options":["Yes","No"]}]}'
//   node ask-user.js show
//
// `ask` is a host that asks: it prints the reply as one line of JSON. `show` is a surface: it prints
// waiting asks and reads one line for each question from standard input.

import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const PROTOCOL = 1;

export interface Option {
  label: string;
  description?: string;
  preview?: string;
}

/** A question as a surface receives it. */
export interface Question {
  questionId: string;
  question: string;
  header?: string;
  type: "text" | "select" | "multi-select" | "confirm";
  options?: Option[];
  multiSelect?: boolean;
  required: boolean;
  placeholder?: string;
  default?: string;
}

/** A call in the dialect of the stream. */
export interface Call {
  questions: unknown[];
  metadata?: Record<string, unknown>;
}

export interface Response {
  type: "ask_user_response";
  requestId: string;
  [key: string]: unknown;
}

export interface Failure {
  type: "ask_user_error";
  requestId?: string;
  code: string;
  message: string;
  hint?: string;
}

/** The lines that a surface receives. */
export type News =
  | {
      type: "ask_user_request";
      requestId: string;
      title?: string;
      context?: string;
      questions: Question[];
      metadata?: Record<string, unknown>;
      asker: Record<string, string>;
      askedAt: string;
      deadlineAt?: string;
    }
  | { type: "ask_user_closed"; requestId: string; state: string; by?: string; at?: string; yours: boolean }
  | Failure;

type Line =
  | { type: "ask_user_hello"; protocol: number; version: string }
  | { type: "ask_user_opened"; requestId: string; askId: string }
  | { type: "ask_user_left"; requestId: string; askId: string }
  | Response
  | News;

/** The person's response to an ask. */
export type Verdict =
  | { answers: unknown[]; note?: string; partial?: boolean }
  | { cancelled: true; reason?: string }
  | { clarify: string };

interface Waiting {
  resolve(response: Response): void;
  reject(error: Error): void;
}

export class AskUserError extends Error {
  readonly code: string;

  constructor(line: Failure) {
    super(line.hint ? `${line.message} (${line.hint})` : line.message);
    this.code = line.code;
  }
}

/** An `ask-user rpc` process. */
export class AskUser {
  /** Called for each line that a surface receives. */
  onNews: (news: News) => void = () => {};
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting = new Map<string, Waiting>();
  private readonly ended: Promise<void>;
  private names = 0;

  constructor(args: string[] = [], binary = "ask-user", client = "typescript-example") {
    this.process = spawn(binary, ["rpc", "--client", client, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: this.process.stdout });
    lines.on("line", (text) => this.hear(JSON.parse(text) as Line));
    this.process.stdin.on("error", () => {});
    this.ended = new Promise((resolve) => {
      lines.on("close", () => {
        const gone = new Error("ask-user rpc ended; what was asked stays open, ask it again");
        for (const waiting of this.waiting.values()) waiting.reject(gone);
        this.waiting.clear();
        resolve();
      });
    });
  }

  /** Asks; resolves when any surface has answered. An abort withdraws the ask. */
  ask(call: Call, signal?: AbortSignal): Promise<Response> {
    const requestId = `r${++this.names}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(requestId, { resolve, reject });
      this.say({ type: "ask_user_request", ...call, requestId });
      // The response then says that the ask was withdrawn, or has the answer that came just before.
      signal?.addEventListener("abort", () => this.say({ type: "ask_user_withdraw", requestId }));
    });
  }

  /** Sends the person's response to a request. `onNews` receives the result. */
  respond(requestId: string, verdict: Verdict): void {
    this.say({ type: "ask_user_response", requestId, ...verdict });
  }

  /** Ends the process. Waiting asks stay open; they can be answered, and asked again. */
  async close(): Promise<void> {
    this.process.stdin.end();
    await this.ended;
  }

  private say(line: object): void {
    this.process.stdin.write(JSON.stringify(line) + "\n");
  }

  private hear(line: Line): void {
    switch (line.type) {
      case "ask_user_hello":
        if (line.protocol !== PROTOCOL) throw new Error(`ask-user rpc speaks protocol ${line.protocol}, not ${PROTOCOL}`);
        return;
      case "ask_user_opened":
      case "ask_user_left":
        return;
      case "ask_user_response":
        this.take(line.requestId)?.resolve(line);
        return;
      case "ask_user_error": {
        const asked = line.requestId === undefined ? undefined : this.take(line.requestId);
        if (asked) asked.reject(new AskUserError(line));
        else this.onNews(line);
        return;
      }
      case "ask_user_request":
      case "ask_user_closed":
        this.onNews(line);
    }
  }

  private take(requestId: string): Waiting | undefined {
    const waiting = this.waiting.get(requestId);
    this.waiting.delete(requestId);
    return waiting;
  }
}

/** The number of an option as a number. A text is a label or the person's own words. */
function choice(text: string, options: number): number | string {
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= options ? number : text;
}

/** A surface for one person at one terminal. */
async function show(args: string[]): Promise<void> {
  const user = new AskUser(["--surface", ...args]);
  const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let busy = Promise.resolve();
  user.onNews = (news) => {
    if (news.type !== "ask_user_request") {
      console.log(JSON.stringify(news));
      return;
    }
    busy = busy.then(async () => {
      console.log(`asked ${JSON.stringify(news.requestId)}`);
      const answers: unknown[] = [];
      for (const question of news.questions) {
        // As JSON, because an agent's text may contain control characters.
        console.log(JSON.stringify(question.question));
        question.options?.forEach((option, at) => console.log(`  ${at + 1} ${JSON.stringify(option.label)}`));
        const { value, done } = await typed.next();
        if (done) {
          await user.close();
          return;
        }
        const count = question.options?.length ?? 0;
        answers.push(question.multiSelect ? value.split(",").map((part) => choice(part, count)) : choice(value, count));
      }
      user.respond(news.requestId, { answers });
    });
  };
}

async function ask(call: string): Promise<void> {
  const user = new AskUser();
  console.log(JSON.stringify(await user.ask(JSON.parse(call) as Call)));
  await user.close();
}

// Runs only as a program, not on import.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [what, ...args] = process.argv.slice(2);
  if (what === "ask") await ask(args[0] ?? "{}");
  else if (what === "show") await show(args);
}
