// The types of what the hub sends: asks as `ask-user show --json` prints them, and agents' Markdown as trees.

/** Text in one style. */
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
/** An agent's Markdown, parsed by the hub. */
export type MarkdownDoc = { blocks: Block[]; links: string[] };

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
/** A person's answer to one question. */
export type Answer = {
  picks?: number[];
  own?: string;
  note?: string;
  none?: boolean;
  attachments?: Attachment[];
};
/** A half-filled form. */
export type Draft = { answers: Answer[]; note?: string };
/** What the person answered when the same was asked shortly before. */
export type EarlierAnswer = Draft & { answeredAt: string };
export type SavedDraft = Draft & { savedAt: string; savedBy: string; revision: number };
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
export type ShownChoice = { label: string; recommended?: boolean; description?: MarkdownDoc; preview?: MarkdownDoc };
export type ShownQuestion = { title: string; text: MarkdownDoc; placeholder?: string; default?: string; choices: ShownChoice[] };
/** Agents' texts, safe to show. Lists have only title and asker, a single ask has all of it. */
export type Shown = { title: string; asker: Asker; context?: MarkdownDoc; questions?: ShownQuestion[] };
export type State = "waiting" | "answered" | "declined" | "clarify" | "expired" | "withdrawn";
/** An ask with its status. */
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
  /** The paired device that answered. */
  answeredDevice?: string;
  /** The program of this machine that answered, if the hub could see it. */
  answeredFrom?: { pid: number; program?: string; terminal?: string; belowAgent?: string };
  answeredAt?: string;
  deliveredAt?: string;
  /** The number of the attempt that answered. */
  attempt?: number;
  /** Until when the hub keeps the answer from the agent, so that it can be taken back. */
  heldUntil?: string;
  takenBack?: unknown[];
  draft?: SavedDraft;
  earlierAnswer?: EarlierAnswer;
  shownOn?: string;
  shownAt?: string;
  waiters?: number;
  snoozedUntil?: string;
  askedAgainAt?: string;
  inClient?: "dialog" | "handed";
  shown: Shown;
  /** The reply that the agent gets, in the agent's dialect. */
  reply?: string;
  /** How it ended. Only lists of closed asks have it. */
  end?: string;
};
export type Day = { answered: number; muted: boolean; more?: number };
export type Inbox = { asks: Ask[]; cursor?: number; now?: string; day?: Day };
/** What the viewer of the page may do. */
export type Scope = "answer" | "see";
/** The viewer of the page, at the computer itself or on a paired device. */
export type Viewer = { local: boolean; scope: Scope; encrypted: boolean };
export type Device = { id: string; name: string; scope: Scope; since: string; lastSeen?: string; until?: string; here: boolean; stranded?: boolean };
/** A device that asks to be paired. */
export type PairingRequest = { id: string; name: string; address: string; number: string; scope: Scope; since: string; until: string };
/** A QR code: its size in modules with the margin, and the dark modules as an SVG path. */
export type Qr = { size: number; path: string };
/** An invitation by which one device can ask to be paired. It has no code any more after too many wrong ones. */
export type Invitation = { url: string; code?: string; until: string; svg?: Qr };
/** The state of pairing, for pages at the computer. */
export type Pairing = {
  on: boolean;
  until?: string;
  url?: string;
  encrypted: boolean;
  addresses: { address: string; name: string }[];
  /** A sentence about a problem with pairing. */
  remark?: string;
  invitation?: Invitation;
  requests: PairingRequest[];
  devices: Device[];
  /** Browsers of this computer that are signed in. */
  browsers: Device[];
};

export type HistoryResponse = { asks: Ask[]; before?: number };

export type DurationStats = { count: number; medianMs?: number; p90Ms?: number };
/** What `ask-user stats --json` prints. */
export type Stats = {
  asks: number;
  answered: number;
  took: DurationStats;
  outcomes: Record<string, number>;
  days: { date: string; agents: { agent: string; asks: number }[] }[];
  hours: (DurationStats & { hour: number })[];
  surfaces: (DurationStats & { surface: string })[];
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
