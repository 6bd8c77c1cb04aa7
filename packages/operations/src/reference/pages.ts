import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Serves `/api-docs.json` and the pages of `/api-docs`, which load nothing from other servers.
 *
 * @param describe creates the OpenAPI document
 */
export function addReferencePages(server: FastifyInstance, describe: () => object, pageTitle: string): void {
  // With hundreds of operations, creating the document takes longer than the rest of a start, and loading the pages'
  // code longer than loading all of a service's own: only the first reader waits for them.
  let text: string | null = null;
  server.get('/api-docs.json', async (_request, reply) => {
    text ??= JSON.stringify(describe());
    return reply.type('application/json').send(text);
  });

  let pages: Promise<FastifyInstance> | null = null;
  const answerByPages = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= openPages(pageTitle);
    const { routing } = await pages;
    reply.header('content-security-policy', pagePolicy).hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
    routing(request.raw, reply.raw);
  };
  server.get('/api-docs', answerByPages);
  server.get('/api-docs/*', answerByPages);
}

async function openPages(pageTitle: string): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  pages.addHook('onSend', async (_request, reply, payload) =>
    typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
      ? payload.replace('<html>', '<html lang="en">')
      : payload,
  );
  await pages.register(scalar, {
    routePrefix: '/api-docs',
    configuration: {
      url: '/api-docs.json',
      pageTitle,
      telemetry: false,
      withDefaultFonts: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      customCss,
    },
  });
  await pages.ready();
  return pages;
}

/**
 * Colours with a contrast of 4.5:1 on every background of the pages, instead of the theme's paler ones; buttons large
 * enough for fingers.
 */
const customCss = `
.light-mode {
  --scalar-color-2: #5c5c5c;
  --scalar-color-3: #636363;
  --scalar-sidebar-color-2: #5c5c5c;
  --scalar-sidebar-search-color: #636363;
  --scalar-color-green: #006b43;
  --scalar-color-blue: #0064a3;
  --scalar-color-orange: #a83a00;
  --scalar-color-red: #b3002d;
  --scalar-color-yellow: #755700;
  --scalar-color-purple: #5b3fa8;
}
.dark-mode {
  --scalar-color-2: #b3b3b3;
  --scalar-color-3: #a6a6a6;
  --scalar-sidebar-color-2: #b3b3b3;
  --scalar-sidebar-search-color: #a6a6a6;
  --scalar-color-green: #4cc38a;
  --scalar-color-blue: #6cb8f0;
  --scalar-color-orange: #ff9a5c;
  --scalar-color-red: #ff8080;
  --scalar-color-yellow: #f0c75e;
  --scalar-color-purple: #b9a3f5;
}
.references-sidebar button[aria-expanded] {
  min-width: 24px;
  min-height: 24px;
}`;

/** The page's script builds its styles at run time and calls this API; nothing else may be reached. */
const pagePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'self'; frame-ancestors 'none'";
