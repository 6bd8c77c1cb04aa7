import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Serves `/api-docs.json` and, from this server alone, the pages of `/api-docs`.
 *
 * @param describe makes the OpenAPI document
 */
export function addReferencePages(server: FastifyInstance, describe: () => object, pageTitle: string): void {
  // Of hundreds of operations the document takes longer to make than the rest of a start, and the pages' code longer to
  // load than all of a service's own: their first reader waits for them, no start does.
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
    },
  });
  await pages.ready();
  return pages;
}

/** The page's script builds its styles at run time and calls this API; nothing else may be reached. */
const pagePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'self'; frame-ancestors 'none'";
