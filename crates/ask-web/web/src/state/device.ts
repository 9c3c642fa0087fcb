// The name under which a device asks to be paired, and the parser of its code. Pure.

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "Chromebook"],
  [/Windows/, "Windows"],
  [/Macintosh/, "Mac"],
  [/Linux|X11/, "Linux"],
];
// The first match counts, because browsers also name each other in their user agents.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\bCriOS\/|\bChrom(e|ium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** A name that the owner recognises: "iPhone, Safari". `touches` identifies an iPad that claims to be a Mac. */
export function deviceName(agent: string, touches: number): string {
  const firstMatch = (patterns: [RegExp, string][]) => patterns.find(([pattern]) => pattern.test(agent))?.[1];
  const system = firstMatch(SYSTEMS);
  const parts = [system === "Mac" && touches > 1 ? "iPad" : system, firstMatch(BROWSERS)];
  return parts.filter(Boolean).join(", ");
}

/** The six digits of a code, with any separators and in full-width digits, too. */
export function parseCode(text: string): string | undefined {
  const digits = text.normalize("NFKC").replace(/[\s.·-]/g, "");
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
