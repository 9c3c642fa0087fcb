// Upper bounds of waits for named events.

/** Resolves when so many seconds are over. */
export const over = (seconds) =>
  new Promise((end) => AbortSignal.timeout(seconds * 1_000).addEventListener("abort", () => end(), { once: true }));

/** What a promise comes to, or an error when that takes longer. */
export function within(what, seconds, promise) {
  const late = over(seconds).then(() => {
    throw new Error(`${what}: not within ${seconds} s`);
  });
  return Promise.race([promise, late]);
}
