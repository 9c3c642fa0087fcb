// Agents' words as the hub has read them. Nothing in them is markup here: every text is a text node,
// images are not shown, and a link says where it leads.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Block, Doc, Line, Span } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

type Links = readonly string[];

export function Markdown({ doc }: { doc: Doc | undefined }): JSX.Element | null {
  return doc ? <div class="prose"><Blocks blocks={doc.blocks} links={doc.links} /></div> : null;
}

/** How much of a context is brought at once, in characters of what the hub sent of it. */
const PIECE = 100_000;
/** How many of the items of a list stay together. */
const ITEMS = 100;

/** What is brought one after the other: a context may be as long as a call, and the page goes on meanwhile. */
export function inPieces(blocks: Block[]): Block[][] {
  const pieces: Block[][] = [[]];
  let room = PIECE;
  const add = (block: Block) => {
    const size = JSON.stringify(block).length;
    room -= size;
    if (room < 0 && pieces.at(-1)?.length) {
      pieces.push([]);
      room = PIECE - size;
    }
    pieces.at(-1)?.push(block);
  };
  for (const block of blocks) {
    if (block.kind === "list") for (let at = 0; at < block.items.length; at += ITEMS) add({ ...block, items: block.items.slice(at, at + ITEMS) });
    else add(block);
  }
  return pieces;
}

/** What an agent says before it asks: its beginning at once, the rest when it is wanted. */
export function Context({ doc, open }: { doc: Doc; open: boolean }): JSX.Element {
  const pieces = useMemo(() => (CHAT ? [doc.blocks] : inPieces(doc.blocks)).map((blocks) => <Blocks blocks={blocks} links={doc.links} />), [doc]);
  const [most, setMost] = useState(1);
  const lacks = most < pieces.length;
  const more = () => setMost(most + 1);
  useEffect(() => {
    if (CHAT || most < 2 || !lacks) return;
    const timer = setTimeout(more);
    return () => clearTimeout(timer);
  }, [most, doc]);
  return (
    <details class="context" open={open}>
      <summary>{say("context")}</summary>
      <div class="prose">{pieces.slice(0, most)}</div>
      {!CHAT && lacks && <button onClick={more}>{say("show-all")}</button>}
    </details>
  );
}

function Blocks({ blocks, links }: { blocks: Block[]; links: Links }): JSX.Element {
  return <>{blocks.map((block) => <One block={block} links={links} />)}</>;
}

function One({ block, links }: { block: Block; links: Links }): JSX.Element {
  switch (block.kind) {
    case "heading":
      return <p class={`heading level-${block.level}`}><Lines lines={block.lines} links={links} /></p>;
    case "paragraph":
      return <p><Lines lines={block.lines} links={links} /></p>;
    case "code":
      return <Scroll label={block.language || say("code")}><pre><code>{block.text}</code></pre></Scroll>;
    case "quote":
      return <blockquote><Blocks blocks={block.blocks} links={links} /></blockquote>;
    case "rule":
      return <hr />;
    case "list":
      return (
        <ul class="marks">
          {block.items.map((item) => (
            <li><span class="mark">{item.done !== undefined ? (item.done ? "☑" : "☐") : /^[-*+]$/.test(item.mark) ? "•" : item.mark}</span><div><Blocks blocks={item.blocks} links={links} /></div></li>
          ))}
        </ul>
      );
    case "table":
      return (
        <Scroll label={say("table")}>
          <table>
            <thead><tr>{block.head.map((cell, at) => <th scope="col" class={block.aligned[at]}><Words line={cell} links={links} /></th>)}</tr></thead>
            <tbody>
              {block.rows.map((row) => <tr>{row.map((cell, at) => <td class={block.aligned[at]}><Words line={cell} links={links} /></td>)}</tr>)}
            </tbody>
          </table>
        </Scroll>
      );
  }
}

/** What may be wider than its place scrolls by itself, and by keys only where there is something to scroll. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const [over, put] = useState(false);
  useEffect(() => {
    const box = ref.current;
    if (box) put(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1);
  });
  return <div ref={ref} class="scroll" {...(over ? { tabIndex: 0, role: "region", "aria-label": label } : {})}>{children}</div>;
}

function Lines({ lines, links }: { lines: Line[]; links: Links }): JSX.Element {
  return <>{lines.map((line, at) => <>{at > 0 && <br />}<Words line={line} links={links} /></>)}</>;
}

function Words({ line, links }: { line: Line; links: Links }): JSX.Element {
  let said = "";
  return (
    <>
      {line.map((span, at) => {
        const to = span.link === undefined ? undefined : links[span.link];
        said = line[at - 1]?.link === span.link ? said + span.text : span.text;
        const host = line[at + 1]?.link === span.link ? undefined : hostBeside(to, said);
        return <><Styled span={span} to={to} />{host && <span class="muted small"> ({host})</span>}</>;
      })}
    </>
  );
}

function Styled({ span, to }: { span: Span; to: string | undefined }): JSX.Element {
  let out: JSX.Element = <>{span.image ? say("image", { text: span.text }) : span.text}</>;
  if (span.code) out = <code>{out}</code>;
  if (span.struck) out = <del>{out}</del>;
  if (span.emphasis) out = <em>{out}</em>;
  if (span.strong) out = <strong>{out}</strong>;
  return hostOf(to) ? <a href={to as string} target="_blank" rel="noreferrer noopener">{out}</a> : out;
}

/** The host that stands beside the words of a link: it is left out only if they are an address of just that one. */
export function hostBeside(link: string | undefined, words: string): string | undefined {
  const host = hostOf(link);
  return words.trim().toLowerCase().replace(/^https?:\/\/|[/?#].*/g, "") === host ? undefined : host;
}

/** Where a link leads, if it is one of the web: the browser gives the host in its ASCII form. */
export function hostOf(link: string | undefined): string | undefined {
  try {
    const url = new URL(link as string);
    return url.protocol === "https:" || url.protocol === "http:" ? url.host : undefined;
  } catch {
    return undefined;
  }
}
