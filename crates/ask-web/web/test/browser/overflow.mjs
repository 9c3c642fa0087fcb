// Finds text that is cut off, overlaps other text or overflows its box, at any text size.

/** The text spacing that a page must support by WCAG 1.4.12. */
const SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; } p { margin-bottom: 2em !important; }";

/** Turns the larger text spacing on or off. */
export const spaced = (page, on = true) => page.evaluate(([on, text]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = on ? [sheet] : [];
}, [on, SPACED]);

/** The visible texts that are cut off, overlap others, or overflow. */
export const overflowing = (page) => page.evaluate(() => {
  const found = [];
  const within = document.querySelector("dialog[open]") ?? document.querySelector("#app");
  const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) {
    const { parentElement: of, data } = walk.currentNode;
    // Skips text for screen readers alone, text that is shortened on purpose and whole elsewhere, and text that scrolls.
    if (!data.trim() || !of.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) || of.closest(".vh, .skip, .cut, .title, .scroll, svg, textarea, select")) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    // In a narrow window the link back and the menu are in the head.
    const inHead = of.closest(".inbox :is(.back, .menu)");
    const above = of.closest(".bar, .head nav, .head, .toast, .menu .stack");
    const layer = above ?? (inHead && getComputedStyle(inHead).position === "fixed" ? document.querySelector(".head") : within);
    // Text that is scrolled out of sight can be scrolled to.
    const scrolls = of.closest("dialog, .list, .steps ol")?.getBoundingClientRect();
    const away = (rect) => scrolls && (rect.top < scrolls.top || rect.bottom > scrolls.bottom || rect.left < scrolls.left || rect.right > scrolls.right);
    // A space at the end of a line may overflow it.
    const least = parseFloat(getComputedStyle(of).fontSize) * 0.4;
    for (const rect of range.getClientRects()) {
      const { left, right, top, bottom } = rect;
      if ((right - left > least || data.trim().length < 3) && !away(rect)) texts.push({ of, data: data.trim().slice(0, 40), layer, left, right, top, bottom });
    }
  }
  for (const one of texts) {
    const holder = one.of.closest("button, .button, .badge, .notice, .choice, summary, td, th, li, .bar, .head nav, .head");
    const box = holder?.getBoundingClientRect();
    if (box && (one.left < box.left - 1 || one.right > box.right + 1 || one.top < box.top - 2 || one.bottom > box.bottom + 2)) found.push(`"${one.data}" sticks out of ${holder.outerHTML.slice(0, 60)}`);
    for (let part = one.of; part && part !== within; part = part.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(part);
      const clips = part.getBoundingClientRect();
      if (/hidden|clip/.test(overflowX) && one.right > clips.right + 1 || /hidden|clip/.test(overflowY) && one.bottom > clips.bottom + 2) found.push(`"${one.data}" is cut off by ${part.outerHTML.slice(0, 60)}`);
    }
  }
  texts.sort((one, other) => one.top - other.top);
  for (const [at, one] of texts.entries()) {
    for (let n = at + 1; n < texts.length && texts[n].top < one.bottom - 2; n++) {
      const other = texts[n];
      if (one.layer === other.layer && other.left < one.right - 2 && one.left < other.right - 2 && Math.min(one.bottom, other.bottom) - other.top > 3) found.push(`"${one.data}" lies on "${other.data}"`);
    }
  }
  return found;
});
