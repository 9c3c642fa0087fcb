// What a device says of itself when it wants to be let in, and how its code is read. Pure.

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "Chromebook"],
  [/Windows/, "Windows"],
  [/Macintosh/, "Mac"],
  [/Linux|X11/, "Linux"],
];
// The first that fits: browsers call themselves by each other's names, too.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\bCriOS\/|\bChrom(e|ium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** A name that its owner knows it by: "iPhone, Safari". `touches` tells an iPad that calls itself a Mac. */
export function deviceName(agent: string, touches: number): string {
  const first = (of: [RegExp, string][]) => of.find(([looks]) => looks.test(agent))?.[1];
  const system = first(SYSTEMS);
  const parts = [system === "Mac" && touches > 1 ? "iPad" : system, first(BROWSERS)];
  return parts.filter(Boolean).join(", ");
}

/** The six digits of a code, however they were typed or pasted; in full width, too. */
export function codeOf(text: string): string | undefined {
  const digits = text.normalize("NFKC").replace(/[\s.·-]/g, "");
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
