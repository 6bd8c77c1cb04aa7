import type { PageFiles } from './context.ts';
import { html } from './html.ts';
import type { Language } from './texts/texts.ts';

/** A page where there is no portal, or none can be read: it has nobody's name and colours. */
export function barePage(options: {
  readonly language: Language;
  readonly files: PageFiles;
  readonly title: string;
  readonly text: string;
}): string {
  const { language, files, title, text } = options;
  return String(html`<!doctype html><html lang="${language}"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${files.style}">
<link rel="stylesheet" href="${files.theme}">
</head>
<body><main class="wide" id="content"><div class="page-head"><h1>${title}</h1><p>${text}</p></div></main></body></html>
`);
}
