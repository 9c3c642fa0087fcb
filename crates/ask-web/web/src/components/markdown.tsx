// Shows agents' Markdown as the hub has parsed it. Every text becomes a text node and never markup, images are not shown,
// and a link shows its host.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Block, MarkdownDoc, Line, Span } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

type Links = readonly string[];

export function Markdown({ doc }: { doc: MarkdownDoc | undefined }): JSX.Element | null {
  return doc ? <div class="prose"><Blocks blocks={doc.blocks} links={doc.links} /></div> : null;
}

/** How much of a context is rendered at once, in characters of the hub's JSON. */
const PIECE_CHARS = 100_000;
/** How many items of a list are rendered at once. */
const PIECE_ITEMS = 100;

/** Splits a context, which may be as long as a call, into pieces that are rendered one after another without blocking the page. */
export function splitIntoPieces(blocks: Block[]): Block[][] {
  const pieces: Block[][] = [[]];
  let room = PIECE_CHARS;
  const add = (block: Block) => {
    const size = JSON.stringify(block).length;
    room -= size;
    if (room < 0 && pieces.at(-1)?.length) {
      pieces.push([]);
      room = PIECE_CHARS - size;
    }
    pieces.at(-1)?.push(block);
  };
  for (const block of blocks) {
    if (block.kind === "list") for (let at = 0; at < block.items.length; at += PIECE_ITEMS) add({ ...block, items: block.items.slice(at, at + PIECE_ITEMS) });
    else add(block);
  }
  return pieces;
}

/** The agent's context. Its beginning is shown at once, the rest on request. */
export function Context({ doc, open }: { doc: MarkdownDoc; open: boolean }): JSX.Element {
  const pieces = useMemo(() => (CHAT ? [doc.blocks] : splitIntoPieces(doc.blocks)).map((blocks) => <Blocks blocks={blocks} links={doc.links} />), [doc]);
  const [shown, setShown] = useState(1);
  const hasMore = shown < pieces.length;
  const showMore = () => setShown(shown + 1);
  useEffect(() => {
    if (CHAT || shown < 2 || !hasMore) return;
    const timer = setTimeout(showMore);
    return () => clearTimeout(timer);
  }, [shown, doc]);
  return (
    <details class="context" open={open}>
      <summary>{translate("context")}</summary>
      <div class="prose">{pieces.slice(0, shown)}</div>
      {!CHAT && hasMore && <button onClick={showMore}>{translate("show-all")}</button>}
    </details>
  );
}

function Blocks({ blocks, links }: { blocks: Block[]; links: Links }): JSX.Element {
  return <>{blocks.map((block) => <BlockView block={block} links={links} />)}</>;
}

function BlockView({ block, links }: { block: Block; links: Links }): JSX.Element {
  switch (block.kind) {
    case "heading":
      return <p class={`heading level-${block.level}`}><Lines lines={block.lines} links={links} /></p>;
    case "paragraph":
      return <p><Lines lines={block.lines} links={links} /></p>;
    case "code":
      return <Scroll label={block.language || translate("code")}><pre><code>{block.text}</code></pre></Scroll>;
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
        <Scroll label={translate("table")}>
          <table>
            <thead><tr>{block.head.map((cell, at) => <th scope="col" class={block.aligned[at]}><LineView line={cell} links={links} /></th>)}</tr></thead>
            <tbody>
              {block.rows.map((row) => <tr>{row.map((cell, at) => <td class={block.aligned[at]}><LineView line={cell} links={links} /></td>)}</tr>)}
            </tbody>
          </table>
        </Scroll>
      );
  }
}

/** A box for content that may be too large. It scrolls by itself, and gets a tab stop only if there is something to scroll. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const box = ref.current;
    if (box) setOverflows(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1);
  });
  return <div ref={ref} class="scroll" {...(overflows ? { tabIndex: 0, role: "region", "aria-label": label } : {})}>{children}</div>;
}

function Lines({ lines, links }: { lines: Line[]; links: Links }): JSX.Element {
  return <>{lines.map((line, at) => <>{at > 0 && <br />}<LineView line={line} links={links} /></>)}</>;
}

function LineView({ line, links }: { line: Line; links: Links }): JSX.Element {
  let linkText = "";
  return (
    <>
      {line.map((span, at) => {
        const to = span.link === undefined ? undefined : links[span.link];
        linkText = line[at - 1]?.link === span.link ? linkText + span.text : span.text;
        const host = line[at + 1]?.link === span.link ? undefined : shownHost(to, linkText);
        return <><SpanView span={span} to={to} />{host && <span class="muted small"> ({host})</span>}</>;
      })}
    </>
  );
}

function SpanView({ span, to }: { span: Span; to: string | undefined }): JSX.Element {
  let out: JSX.Element = <>{span.image ? translate("image", { text: span.text }) : span.text}</>;
  if (span.code) out = <code>{out}</code>;
  if (span.struck) out = <del>{out}</del>;
  if (span.emphasis) out = <em>{out}</em>;
  if (span.strong) out = <strong>{out}</strong>;
  // As an absolute address: a browser takes "http:host" as a path of this page.
  return hostOf(to) ? <a href={new URL(to as string).href} target="_blank" rel="noreferrer noopener">{out}</a> : out;
}

/** The host that is shown beside a link's text; undefined if the text is itself an address of that host. */
export function shownHost(link: string | undefined, text: string): string | undefined {
  const host = hostOf(link);
  return text.trim().toLowerCase().replace(/^https?:\/\/|[/?#].*/g, "") === host ? undefined : host;
}

/** The host of a web link, in the ASCII form in which browsers give it. */
export function hostOf(link: string | undefined): string | undefined {
  try {
    const url = new URL(link as string);
    return url.protocol === "https:" || url.protocol === "http:" ? url.host : undefined;
  } catch {
    return undefined;
  }
}
