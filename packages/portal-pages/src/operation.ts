import { plainText } from './catalog.ts';
import { type PageContext, pathTo } from './context.ts';
import type { Content, OperationGroup, OperationPageData, Parameter, SecurityScheme } from './data.ts';
import { codePanel, scrollingCode } from './highlight.ts';
import { attributes, type Html, html } from './html.ts';
import { crumbData, crumbs, type Page } from './layout.ts';
import { methodMark, operationsBeside } from './product.ts';
import { constraintsOf, schemaTree, typeInWords } from './schema.ts';

/** Modules and styles of the panel that sends requests; null where the portal's app is not built. */
export interface TryFiles {
  readonly modules: readonly string[];
  readonly styles: readonly string[];
}

const maxExampleCharacters = 6_000;
/** Of a response's description, to be in one line beside its status. */
const longestSummary = 40;

/** One operation of a product's reference. */
export function operationPage(
  context: PageContext,
  operation: OperationPageData,
  groups: readonly OperationGroup[],
  tryFiles: TryFiles | null,
): Page {
  const { texts } = context;
  const { product } = operation;
  const title = titleOf(operation);
  const path = ['products', product.name, 'operations', operation.id];
  const content = html`<div class="wide"><div class="columns with-side">
${operationsBeside(context, product, groups, operation.id)}
<div class="content">
${crumbs(context, [
  { text: texts.catalog, path: ['catalog'] },
  { text: product.displayName, path: ['products', product.name] },
])}
<h1>${title}</h1>
<p class="endpoint after">${methodMark(operation.method)}<code>${operation.path}</code></p>
<div class="operation after">
<div class="stack">
${operation.deprecated && html`<p class="note">${texts.deprecatedText}</p>`}
${operation.description !== '' && html`<div class="prose">${context.markdown(operation.description)}</div>`}
<h2>${texts.authentication}</h2>${securityInWords(context, operation.security).map((line) => html`<p>${line}</p>`)}
${parameterLists(context, operation.parameters)}
${operation.requestBody !== null && requestBody(context, operation.requestBody)}
<h2>${texts.responses}</h2><div>${operation.responses.map((response, index) => responseDetails(context, response, index === 0))}</div>
</div>
<div class="stack samples">
${operation.snippets.length > 0 && snippetTabs(context, operation.snippets)}
${tryFiles !== null && tryPlace(context, operation)}
${responseExample(context, operation)}
</div></div>
${neighbours(context, product.name, groups, operation.id)}
</div></div></div>`;
  return {
    title: `${title} – ${product.displayName}`,
    description:
      operation.description === '' ? `${operation.method} ${operation.path}` : plainText(operation.description),
    path,
    section: 'catalog',
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'TechArticle',
        headline: title,
        description: plainText(operation.description),
        articleSection: product.displayName,
        publisher: { '@type': 'Organization', name: context.portal.organizationName },
      },
      crumbData(context, [
        { text: texts.catalog, path: ['catalog'] },
        { text: product.displayName, path: ['products', product.name] },
        { text: title, path },
      ]),
    ],
    content,
    modules: tryFiles?.modules ?? [],
    styles: tryFiles?.styles ?? [],
    hasMarkdown: true,
  };
}

/** What an operation is called. */
export function titleOf({ summary, id }: Pick<OperationPageData, 'summary' | 'id'>): string {
  return summary === '' ? id : summary;
}

/** How callers authenticate, a sentence for each way. */
export function securityInWords(
  { texts }: PageContext,
  security: readonly (readonly SecurityScheme[])[],
): readonly string[] {
  if (security.length === 0 || security.some((combination) => combination.length === 0)) return [texts.noKey];
  const sentences = security.flat().map(({ type, in: place, parameter, name }) => {
    if (type === 'apiKey' && parameter !== null && (place === 'header' || place === 'query' || place === 'cookie')) {
      return texts.keyIn[place](parameter);
    }
    return ['http', 'oauth2', 'openIdConnect'].includes(type) ? texts.bearer : name;
  });
  return [...new Set(sentences)];
}

const places = ['path', 'query', 'header', 'cookie'] as const;

function parameterLists(context: PageContext, parameters: readonly Parameter[]): readonly Html[] {
  const { texts } = context;
  return places.flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    return html`<h2>${texts.parameterPlaces[place]}</h2><ul class="plain fields">${own.map((parameter) => {
      const { schema } = parameter;
      return html`<li><div class="field-head"><code>${parameter.name}</code><span>${typeInWords(context, schema)}</span>${parameter.required && html`<span class="required">${texts.required}</span>`}${parameter.deprecated && html`<span>${texts.deprecated}</span>`}</div>
${parameter.description !== '' && html`<div class="prose">${context.markdown(parameter.description)}</div>`}${schema !== null && constraintsOf(context, schema)}</li>`;
    })}</ul>`;
  });
}

function requestBody(context: PageContext, body: NonNullable<OperationPageData['requestBody']>): Html {
  const { texts } = context;
  return html`<h2>${texts.requestBody}</h2>
${body.description !== '' && html`<div class="prose">${context.markdown(body.description)}</div>`}
${body.content.map((content) => contentDetails(context, content, body.required))}`;
}

function contentDetails(context: PageContext, { mediaType, schema }: Content, required: boolean): Html {
  const { texts } = context;
  return html`<p class="small"><code>${mediaType}</code>${required && html` <span class="required">${texts.required}</span>`}</p>${schema !== null && schemaTree(context, schema)}`;
}

function responseDetails(
  context: PageContext,
  { status, description, headers, content }: OperationPageData['responses'][number],
  open: boolean,
): Html {
  const { texts } = context;
  const isError = /^[45]|^default/.test(status);
  const isLong = description.length > longestSummary || description.includes('\n');
  return html`<details class="response"${attributes({ open })}><summary><span class="status-code${isError && ' error'}">${status}</span><span class="clip">${plainText(description)}</span></summary><div class="stack">
${isLong && html`<div class="prose">${context.markdown(description)}</div>`}
${headers.length > 0 && html`<p class="small muted">${texts.parameterPlaces.header}</p><ul class="plain fields">${headers.map((header) => html`<li><div class="field-head"><code>${header.name}</code><span>${typeInWords(context, header.schema)}</span></div>${header.description !== '' && html`<div class="prose">${context.markdown(header.description)}</div>`}</li>`)}</ul>`}
${content.length === 0 ? html`<p class="small muted">${texts.noBody}</p>` : content.map((each) => contentDetails(context, each, false))}
${isError && content.slice(0, 1).flatMap(({ examples }) => examples.slice(0, 1).map(({ value }) => codePanel(`${status}`, exampleText(value))))}
</div></details>`;
}

/** An example as it travels. */
export function exampleText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return text.length > maxExampleCharacters ? `${text.slice(0, maxExampleCharacters)}\n…` : text;
}

/** The example of the first response that has one: a call's answer when it succeeds. */
function responseExample(context: PageContext, { responses }: OperationPageData): Html | null {
  for (const { status, content } of responses) {
    if (!/^2|^3/.test(status)) continue;
    for (const { examples } of content) {
      const [first] = examples;
      if (first !== undefined) return codePanel(`${context.texts.response} ${status}`, exampleText(first.value));
    }
  }
  return null;
}

const tabClasses = 6;

/** The request in several languages, as tabs that need no script. */
function snippetTabs({ texts }: PageContext, snippets: OperationPageData['snippets']): Html {
  const shown = snippets.slice(0, tabClasses);
  return html`<fieldset class="tabs code" data-snippets><legend class="sr">${texts.snippetLanguage}</legend><div class="code-bar">${shown.map(
    ({ language, label }, index) =>
      html`<label><input type="radio" name="snippet" class="${`t${index}`}" value="${language}"${attributes({ checked: index === 0 })}>${label}</label>`,
  )}</div>${shown.map(({ label, code }, index) => html`<div class="panel ${`p${index}`}">${scrollingCode(label, code)}</div>`)}</fieldset>`;
}

/** Where the portal's app draws the panel that sends this operation's requests. */
function tryPlace({ texts, basePath, portal, language, signedIn }: PageContext, operation: OperationPageData): Html {
  return html`<div class="try" id="try" data-portal-try data-organization="${portal.organization}" data-base-path="${basePath}" data-language="${language}" data-signed-in="${String(signedIn)}" data-product="${operation.product.name}" data-operation="${operation.id}"><noscript><p class="muted small">${texts.tryWithoutScript}</p></noscript></div>`;
}

/** The operations before and after, as the reference lists them. */
function neighbours(
  context: PageContext,
  product: string,
  groups: readonly OperationGroup[],
  currentId: string,
): Html | null {
  const { texts } = context;
  const all = groups.flatMap(({ operations }) => operations);
  const current = all.findIndex(({ id }) => id === currentId);
  const [before, after] = [all[current - 1], all[current + 1]];
  if (current < 0 || (before === undefined && after === undefined)) return null;
  const link = (operation: (typeof all)[number] | undefined, rel: string, label: string) =>
    operation === undefined
      ? html`<span></span>`
      : html`<a class="button" rel="${rel}" href="${pathTo(context, 'products', product, 'operations', operation.id)}"><span class="sr">${label}: </span>${titleOf(operation)}</a>`;
  return html`<nav class="pages" aria-label="${texts.pagination}">${link(before, 'prev', texts.previousOperation)}${link(after, 'next', texts.nextOperation)}</nav>`;
}
