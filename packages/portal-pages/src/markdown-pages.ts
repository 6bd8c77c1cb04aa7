import { type CatalogQuery, plainText } from './catalog.ts';
import { formatDay, formatTime, type PageContext } from './context.ts';
import type {
  Catalog,
  Content,
  GuideLink,
  OperationGroup,
  OperationPageData,
  PortalChange,
  PortalGuide,
  PortalStatus,
  ProductPageData,
  Schema,
} from './data.ts';
import { type HomeData, homeTexts } from './home.ts';
import { code, fenced, indent, type Markdown, markdown, source } from './markdown-text.ts';
import { exampleText, securityInWords, titleOf } from './operation.ts';
import { headlinePrice, quotaInWords, termsInWords, tierQuantity } from './prices.ts';
import { typeInWords } from './schema.ts';
import { incidentTime, incidentTitle } from './status.ts';

/** Where a page is as Markdown, as a URL: what language models follow. */
function urlOf(context: PageContext, ...path: readonly string[]): Markdown {
  return source(`${context.baseUrl}/${path.map(encodeURIComponent).join('/')}.md`);
}

/** The home page as Markdown. */
export function homeMarkdown(context: PageContext, { featured, guides }: HomeData): string {
  const { texts } = context;
  const { headline, introduction } = homeTexts(context);
  return markdown`# ${headline}

${introduction}

- [${texts.catalog}](${urlOf(context, 'catalog')})
- [${texts.guides}](${urlOf(context, 'guides')})
- [${texts.changes}](${urlOf(context, 'changes')})
- [${texts.status}](${urlOf(context, 'status')})

## ${texts.featured}

${featured.map(({ name, displayName, description }) => markdown`- [${displayName}](${urlOf(context, 'products', name)}): ${plainText(description)}\n`)}
## ${texts.guides}

${guideItems(context, guides)}`.text;
}

/** The catalog as Markdown. */
export function catalogMarkdown(
  context: PageContext,
  { products, total }: Catalog,
  { page, pageSize }: CatalogQuery,
): string {
  const { texts } = context;
  return markdown`# ${texts.catalogTitle}

${products.map(({ name, displayName, description }) => markdown`- [${displayName}](${urlOf(context, 'products', name)}): ${plainText(description)}\n`)}
${total > pageSize && texts.pageOf(String(page), String(Math.ceil(total / pageSize)))}
`.text;
}

/** A product as Markdown. */
export function productMarkdown(context: PageContext, product: ProductPageData): string {
  const { texts } = context;
  const [server] = product.servers;
  return markdown`# ${product.displayName}

${source(product.description)}

${server !== undefined && markdown`- ${texts.baseUrl}: ${code(server.url)}\n`}${product.quota !== null && markdown`- ${texts.quota}: ${quotaInWords(context, product.quota)}\n`}- ${texts.openApi}: ${source(`${context.baseUrl}/products/${encodeURIComponent(product.name)}/openapi.json`)}

## ${texts.reference}

${product.operations.map((group) => markdown`### ${group.tag === '' ? texts.operations : group.tag}\n\n${operationItems(context, product.name, group)}\n`)}
## ${texts.pricing}

${product.plans.length === 0 && markdown`${texts.noPlan}\n`}${product.plans.map((plan) => {
  const { amount, unit } = headlinePrice(context, plan, product.billingPeriod);
  return markdown`### ${plan.displayName}

${amount} ${unit}

${termsInWords(context, plan, product.billingPeriod).map(
  ({ text, tiers }) =>
    markdown`- ${text}\n${tiers?.charge.tiers.map(({ unitPrice }, index) => markdown`  - ${tierQuantity(context, plan, tiers.charge, index)}: ${unitPrice} ${plan.currency}\n`)}`,
)}
`;
})}
${product.guides.length > 0 && markdown`## ${texts.guides}\n\n${guideItems(context, product.guides)}\n`}${product.changes.length > 0 && markdown`## ${texts.recentChanges}\n\n${changeItems(context, product.changes)}`}`
    .text;
}

function operationItems(context: PageContext, product: string, { operations }: OperationGroup): readonly Markdown[] {
  return operations.map(
    (operation) =>
      markdown`- [${titleOf(operation)}](${urlOf(context, 'products', product, 'operations', operation.id)}): ${code(`${operation.method} ${operation.path}`)}\n`,
  );
}

/** An operation as Markdown. */
export function operationMarkdown(context: PageContext, operation: OperationPageData): string {
  const { texts } = context;
  const [snippet] = operation.snippets;
  return markdown`# ${titleOf(operation)}

${code(`${operation.method} ${operation.path}`)}

${source(operation.description)}

## ${texts.authentication}

${securityInWords(context, operation.security).map((line) => markdown`${line}\n`)}
${(['path', 'query', 'header', 'cookie'] as const).map((place) => {
  const own = operation.parameters.filter((parameter) => parameter.in === place);
  return (
    own.length > 0 &&
    markdown`## ${texts.parameterPlaces[place]}\n\n${own.map(
      ({ name, required, description, schema }) =>
        markdown`- ${code(name)} (${typeInWords(context, schema)}${required && `, ${texts.required}`})${description !== '' && `: ${plainText(description)}`}\n`,
    )}\n`
  );
})}
${
  operation.requestBody !== null &&
  markdown`## ${texts.requestBody}\n\n${source(operation.requestBody.description)}\n\n${operation.requestBody.content.map((content) => contentMarkdown(context, content))}\n`
}${snippet !== undefined && markdown`${fenced('sh', snippet.code)}\n`}
## ${texts.responses}

${operation.responses.map(
  ({ status, description, content }) =>
    markdown`### ${status}\n\n${plainText(description)}\n\n${content.map((each) => contentMarkdown(context, each))}\n`,
)}`.text;
}

const maxDepth = 6;
const maxFields = 200;

function contentMarkdown(context: PageContext, { mediaType, schema, examples }: Content): Markdown {
  const [example] = examples;
  let left = maxFields;
  const fields = (of: Schema, depth: number): readonly Markdown[] => {
    if (depth > maxDepth || of.cut !== null) return [];
    const nested = of.items === null ? [] : fields(of.items, depth);
    const own = of.properties.flatMap(({ name, required, schema: property }) =>
      left-- <= 0
        ? []
        : [
            markdown`${indent(depth)}- ${code(name)} (${typeInWords(context, property)}${required && `, ${context.texts.required}`})${property.description !== '' && markdown`: ${plainText(property.description)}`}\n`,
            ...fields(property, depth + 1),
          ],
    );
    const variants = of.variants?.schemas.flatMap((variant) => fields(variant, depth)) ?? [];
    return [...own, ...nested, ...variants];
  };
  return markdown`${code(mediaType)}

${schema !== null && markdown`${fields(schema, 0)}\n`}${example !== undefined && markdown`${fenced('json', exampleText(example.value))}\n`}`;
}

function guideItems(context: PageContext, guides: readonly GuideLink[]): readonly Markdown[] {
  return guides.map(
    ({ slug, title, summary }) =>
      markdown`- [${title}](${urlOf(context, 'guides', slug)})${summary !== '' && `: ${summary}`}\n`,
  );
}

/** All guides as Markdown. */
export function guidesMarkdown(context: PageContext, guides: readonly GuideLink[]): string {
  return markdown`# ${context.texts.guides}\n\n${guideItems(context, guides)}`.text;
}

/** A guide as its organization wrote it. */
export function guideMarkdown(context: PageContext, guide: PortalGuide): string {
  const begins = guide.headings[0]?.level === 1;
  return markdown`${!begins && markdown`# ${guide.title}\n\n`}${source(guide.source)}

${context.texts.updatedAt(formatDay(context, guide.publishedAt))}
`.text;
}

function changeItems(context: PageContext, changes: readonly PortalChange[]): readonly Markdown[] {
  const { texts } = context;
  return changes.map(
    ({ at, api, apiVersion, kind, changes: lines }) => markdown`### ${api.displayName} ${apiVersion}

${formatDay(context, at)}

${kind === 'published' && markdown`- ${texts.firstVersion}\n`}${kind === 'withdrawn' && markdown`- ${texts.withdrawn}\n`}${lines.map(({ text, breaking }) => markdown`- ${breaking && `${texts.breaking}: `}${texts.changeText(text) ?? text}\n`)}
`,
  );
}

/** The change log as Markdown. */
export function changesMarkdown(
  context: PageContext,
  { changes }: { readonly changes: readonly PortalChange[] },
): string {
  const { texts } = context;
  return markdown`# ${texts.changes}\n\n${changes.length === 0 ? texts.noChanges : changeItems(context, changes)}`.text;
}

/** The status as Markdown. */
export function statusMarkdown(
  context: PageContext,
  { state, environments, incidents, checkedAt }: PortalStatus,
): string {
  const { texts } = context;
  return markdown`# ${texts.status}

${texts.statusStates[state]}

${environments.map(({ displayName, state: own }) => markdown`- ${displayName}: ${texts.componentStates[own]}\n`)}
${
  incidents.length > 0 &&
  markdown`## ${texts.incidents}\n\n${incidents.map(
    (incident) =>
      markdown`- ${incidentTitle(context, incident)}. ${texts.incidentStates[incident.state]}. ${incidentTime(context, incident)}\n`,
  )}\n`
}${texts.asOf(formatTime(context, checkedAt))}
`.text;
}
