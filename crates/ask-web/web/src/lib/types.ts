// What the hub sends: asks as `ask-user show --json` prints them, and agents' words as trees.

/** Words that look alike. */
export type Span = {
  text: string;
  strong?: boolean;
  emphasis?: boolean;
  code?: boolean;
  struck?: boolean;
  link?: number;
  image?: boolean;
};
export type Line = Span[];
export type Block = { apart?: boolean } & (
  | { kind: "heading"; level: number; lines: Line[] }
  | { kind: "paragraph"; lines: Line[] }
  | { kind: "code"; language?: string; text: string }
  | { kind: "list"; items: { mark: string; blocks: Block[]; done?: boolean }[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "table"; aligned: string[]; head: Line[]; rows: Line[][] }
  | { kind: "rule" }
);
/** Markdown of an agent, read by the hub. */
export type Doc = { blocks: Block[]; links: string[] };

export type Choice = { label: string; preview?: string };
export type Kind = "text" | "select" | "multi-select" | "confirm";
export type Question = {
  questionId: string;
  question: string;
  header?: string;
  type: Kind;
  options?: Choice[];
  required: boolean;
  placeholder?: string;
  default?: string;
};
export type Attachment = {
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  width?: number;
  height?: number;
};
/** What a person says to one question. */
export type Answer = {
  picks?: number[];
  own?: string;
  note?: string;
  none?: boolean;
  attachments?: Attachment[];
};
/** A half-filled form. */
export type Draft = { answers: Answer[]; note?: string };
export type Saved = Draft & { savedAt: string; savedBy: string; revision: number };
export type Asker = {
  client?: string;
  clientVersion?: string;
  agent?: string;
  session?: string;
  project?: string;
  directory?: string;
  branch?: string;
};
export type GivenAnswer = {
  questionId: string;
  question: string;
  status: string;
  values: string[];
  customText?: string;
  note?: string;
  attachments?: Attachment[];
};
export type Outcome = { answers: GivenAnswer[]; note?: string; reason?: string; clarify?: string };
export type ShownChoice = { label: string; recommended?: boolean; description?: Doc; preview?: Doc };
export type ShownQuestion = { title: string; text: Doc; placeholder?: string; default?: string; choices: ShownChoice[] };
/** Agents' words made safe to show. Lists have the names alone, a single ask all of it. */
export type Shown = { title: string; asker: Asker; context?: Doc; questions?: ShownQuestion[] };
export type State = "waiting" | "answered" | "declined" | "clarify" | "expired" | "withdrawn";
/** An ask with where it stands. */
export type Ask = {
  askId: string;
  state: State;
  delivered?: boolean;
  title?: string;
  context?: string;
  questions: Question[];
  asker: Asker;
  dialect: string;
  askedAt: string;
  deadlineAt?: string;
  outcome?: Outcome;
  answeredBy?: string;
  /** The device that answered, where it was one that was let in. */
  answeredDevice?: string;
  /** The program of this machine that answered, where the hub could see it. */
  answeredFrom?: { pid: number; program?: string; terminal?: string; belowAgent?: string };
  answeredAt?: string;
  deliveredAt?: string;
  draft?: Saved;
  shownOn?: string;
  shownAt?: string;
  waiters?: number;
  snoozedUntil?: string;
  askedAgainAt?: string;
  inClient?: "dialog" | "handed";
  shown: Shown;
  /** What its agent got, or gets, in its own wording. */
  reply?: string;
  /** How it ended, in lists of the past. */
  end?: string;
};
export type Day = { answered: number; muted: boolean; more?: number };
export type Inbox = { asks: Ask[]; cursor?: number; now?: string; day?: Day };
/** What whoever looks at the page may do. */
export type Scope = "answer" | "see";
/** Who looks: at the computer itself, or on a device that was let in. */
export type Viewer = { local: boolean; scope: Scope; encrypted: boolean };
export type Device = { id: string; name: string; scope: Scope; since: string; lastSeen?: string; until?: string; here: boolean; stranded?: boolean };
/** A device that wants to be let in. */
export type Knock = { id: string; name: string; address: string; number: string; scope: Scope; since: string; until: string };
/** A QR code: the modules of a side with its margin, and the dark ones as a path. */
export type Qr = { size: number; path: string };
/** What lets one device ask to be let in; without a code once too many wrong ones were typed. */
export type Invitation = { url: string; code?: string; until: string; svg?: Qr };
/** How devices are let in, as the computer sees it. */
export type Pairing = {
  on: boolean;
  until?: string;
  url?: string;
  encrypted: boolean;
  addresses: { address: string; name: string }[];
  /** What should be known of it, in a sentence. */
  remark?: string;
  invitation?: Invitation;
  requests: Knock[];
  devices: Device[];
  /** Browsers of this computer that are signed in. */
  browsers: Device[];
};

export type Past = { asks: Ask[]; before?: number };

export type Took = { count: number; medianMs?: number; p90Ms?: number };
/** What `ask-user stats --json` prints. */
export type Figures = {
  asks: number;
  answered: number;
  took: Took;
  outcomes: Record<string, number>;
  days: { date: string; agents: { agent: string; asks: number }[] }[];
  hours: (Took & { hour: number })[];
  surfaces: (Took & { surface: string })[];
  agents: {
    agent: string;
    asks: number;
    withOptions: number;
    withRecommendation: number;
    recommended: number;
    another: number;
    ownWords: number;
    notes: number;
    askBacks: number;
  }[];
  projects: { project: string; asks: number }[];
  waiting: number;
  longestWaitingMs?: number;
  longestTodayMs?: number;
};
