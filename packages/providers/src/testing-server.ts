import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ProviderKind } from './configuration.ts';

/** A request to a model, whatever its protocol. */
export interface ModelRequest {
  readonly kind: ProviderKind;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly model: string;
  readonly system: string;
  /** The user message. */
  readonly text: string;
  /** Images in base64. */
  readonly pictures: readonly string[];
  /** The schema of the answer; null if there is none. */
  readonly schema: JsonSchemaObject | null;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** As received. */
  readonly body: unknown;
}

export interface JsonSchemaObject {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchemaObject>>;
  readonly items?: JsonSchemaObject;
  readonly required?: readonly string[];
}

/** Ways of a provider to fail. */
export type Fault =
  | 'refuses'
  | 'nonsense'
  | 'truncated_json'
  | 'cut_off'
  | 'wrong_schema'
  | 'not_json'
  | 'rate_limited'
  | 'rate_limited_for_long'
  | 'server_error'
  | 'unauthorized'
  | 'no_such_model'
  | 'rejects_schema'
  | 'redirects'
  | 'resets'
  | 'hangs'
  | 'hangs_after_headers'
  | 'endless'
  | 'gigantic';

export interface ModelServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** The base URL by which a provider of the kind reaches it. */
  baseUrl(kind: ProviderKind): string;
  /** Every request so far, newest last. */
  readonly requests: readonly ModelRequest[];
  /** Fails the next requests in this way: the given number, or all from then on. */
  fail(fault: Fault | null, count?: number): void;
  close(): Promise<void>;
}

/**
 * Starts a server on the loopback interface that implements the protocols of OpenAI (responses, and chat completions as
 * compatible servers do), Anthropic, Google and Ollama, and can be made to fail.
 *
 * @param answer the model's answer, or a promise of it: an object is written as JSON.
 */
export async function startModelServer(answer: (request: ModelRequest) => unknown): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;
  let faultCount = Number.POSITIVE_INFINITY;

  const server = createServer(async (incoming, response) => {
    const request = readRequest(incoming, JSON.parse(await readBody(incoming)));
    requests.push(request);
    const current = faultCount > 0 ? fault : null;
    faultCount -= 1;
    const isHarmless = current === 'rejects_schema' && request.schema === null;
    if (current === null || isHarmless) reply(response, request, await answer(request));
    else misbehave(current, request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: (kind) => `${origin}${basePaths[kind]}`,
    requests,
    fail: (next, count = Number.POSITIVE_INFINITY) => {
      fault = next;
      faultCount = count;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const basePaths: Readonly<Record<ProviderKind, string>> = {
  openai: '/openai/v1',
  'openai-compatible': '/compatible/v1',
  anthropic: '/anthropic/v1',
  google: '/google/v1beta',
  ollama: '/ollama/api',
};

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

type Json = { readonly [key: string]: Json } & readonly Json[] & string;

function readRequest(incoming: IncomingMessage, body: Json): ModelRequest {
  const path = incoming.url ?? '';
  const kind = (Object.keys(basePaths) as ProviderKind[]).find((each) => path.startsWith(`${basePaths[each]}/`));
  if (!kind) throw new Error(`No protocol has the path ${path}`);
  const common = { kind, path, headers: incoming.headers, body };
  switch (kind) {
    case 'openai': {
      const user = body.input!.find((item) => item.role === 'user')!;
      return {
        ...common,
        model: body.model!,
        system: String(body.input!.find((item) => item.role === 'system' || item.role === 'developer')!.content),
        text: textsOf(user.content, 'input_text'),
        pictures: user.content!.flatMap((part) => (part.type === 'input_image' ? [afterComma(part.image_url)] : [])),
        schema: (body.text?.format?.schema ?? null) as JsonSchemaObject | null,
        tools: namesOf(body.tools),
      };
    }
    case 'openai-compatible': {
      const user = body.messages!.find((item) => item.role === 'user')!;
      return {
        ...common,
        model: body.model!,
        system: body.messages!.find((item) => item.role === 'system')!.content!,
        text: typeof user.content === 'string' ? user.content : textsOf(user.content, 'text'),
        pictures:
          typeof user.content === 'string'
            ? []
            : user.content!.flatMap((part) => (part.type === 'image_url' ? [afterComma(part.image_url!.url)] : [])),
        schema: (body.response_format?.json_schema?.schema ?? null) as JsonSchemaObject | null,
        tools: namesOf(body.tools),
      };
    }
    case 'anthropic': {
      const { content } = body.messages!.find((item) => item.role === 'user')!;
      const answerTool = body.tools?.find((tool) => tool.name === 'json');
      return {
        ...common,
        model: body.model!,
        system: textsOf(body.system, 'text'),
        text: textsOf(content, 'text'),
        pictures: content!.flatMap((part) => (part.type === 'image' ? [String(part.source!.data)] : [])),
        schema: (body.output_config?.format?.schema ?? answerTool?.input_schema ?? null) as JsonSchemaObject | null,
        tools: namesOf(body.tools),
      };
    }
    case 'google': {
      const { parts } = body.contents!.find((item) => item.role === 'user')!;
      return {
        ...common,
        model: /models\/([^:]+):/.exec(path)![1]!,
        system: body.systemInstruction!.parts!.map((part) => part.text).join(''),
        text: parts!.flatMap((part) => part.text ?? []).join(''),
        pictures: parts!.flatMap((part) => (part.inlineData ? [String(part.inlineData.data)] : [])),
        schema: (body.generationConfig!.responseSchema ?? null) as JsonSchemaObject | null,
        tools: namesOf(body.tools),
      };
    }
    case 'ollama': {
      const user = body.messages!.find((item) => item.role === 'user')!;
      return {
        ...common,
        model: body.model!,
        system: body.messages!.find((item) => item.role === 'system')!.content!,
        text: user.content!,
        pictures: [...(user.images ?? [])],
        schema: (typeof body.format === 'object' ? body.format : null) as JsonSchemaObject | null,
        tools: namesOf(body.tools),
      };
    }
  }
}

function textsOf(parts: Json | undefined, type: string): string {
  return (parts ?? []).flatMap((part: Json) => (part.type === type ? [String(part.text)] : [])).join('');
}

function afterComma(dataUrl: Json | undefined): string {
  return String(dataUrl).split(',')[1] ?? '';
}

function namesOf(tools: Json | undefined): readonly string[] {
  return (tools ?? []).map((tool: Json) => String(tool.name ?? tool.function?.name));
}

/**
 * Estimates the number of tokens in a text, split as language models' tokenizers do: words of up to six letters,
 * numbers of up to three digits, and signs.
 */
export function countTokens(text: string): number {
  return text.match(/\s?\p{L}{1,6}|\d{1,3}|[^\p{L}\d\s]|\s+/gu)?.length ?? 0;
}

const tokensOfPicture = 1000;

/** The request in tokens: everything that the protocol passes to the model. */
export function questionTokens({ pictures, schema, system, text }: ModelRequest): number {
  return (
    countTokens(system) +
    countTokens(text) +
    countTokens(JSON.stringify(schema ?? '')) +
    pictures.length * tokensOfPicture
  );
}

function reply(response: ServerResponse, request: ModelRequest, answer: unknown, finish: Finish = 'stop'): void {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  sendJson(response, 200, envelope(request, text, finish));
}

type Finish = 'stop' | 'length' | 'refusal';

/** A text as the protocol wraps it. */
function envelope(request: ModelRequest, text: string, finish: Finish): unknown {
  const { kind, model } = request;
  const input = questionTokens(request);
  const output = countTokens(text);
  switch (kind) {
    case 'openai':
      return {
        id: 'resp_1',
        object: 'response',
        created_at: 1_760_000_000,
        model: `${model}-2026-01-01`,
        status: finish === 'length' ? 'incomplete' : 'completed',
        incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
        output: [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [
              finish === 'refusal'
                ? { type: 'refusal', refusal: text }
                : { type: 'output_text', text, annotations: [] },
            ],
          },
        ],
        usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      };
    case 'openai-compatible':
      return {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_760_000_000,
        model: `${model}-2026-01-01`,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: text },
            finish_reason: finish === 'refusal' ? 'content_filter' : finish,
          },
        ],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      };
    case 'anthropic': {
      const byTool = request.tools.includes('json') && finish !== 'refusal';
      return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: `${model}-20260101`,
        content: [
          byTool ? { type: 'tool_use', id: 'toolu_1', name: 'json', input: parsed(text) } : { type: 'text', text },
        ],
        stop_reason:
          finish === 'refusal' ? 'refusal' : finish === 'length' ? 'max_tokens' : byTool ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: input, output_tokens: output },
      };
    }
    case 'google':
      return {
        candidates: [
          {
            content: { role: 'model', parts: [{ text }] },
            finishReason: finish === 'refusal' ? 'SAFETY' : finish === 'length' ? 'MAX_TOKENS' : 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
        modelVersion: `${model}-001`,
      };
    case 'ollama':
      return {
        model,
        created_at: '2026-01-01T00:00:00Z',
        message: { role: 'assistant', content: text },
        done: true,
        done_reason: finish === 'length' ? 'length' : 'stop',
        prompt_eval_count: input,
        eval_count: output,
      };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The error body of the protocol, with the key in it, as some providers quote it. */
function sendError(
  response: ServerResponse,
  request: ModelRequest,
  status: number,
  headers?: Record<string, string>,
): void {
  const { authorization } = request.headers;
  const key = authorization ?? request.headers['x-api-key'] ?? request.headers['x-goog-api-key'];
  const message = `Status ${status}; you sent ${String(key)} and ${request.text.slice(0, 200)}`;
  sendJson(
    response,
    status,
    { type: 'error', error: { type: 'some_error', code: status, message, status: 'X' } },
    headers,
  );
}

function misbehave(fault: Fault, request: ModelRequest, response: ServerResponse): void {
  const half = '{"fields":{"invoice_number":"INV-1","vendor_na';
  switch (fault) {
    case 'refuses':
      reply(response, request, 'I cannot help with that.', request.kind === 'ollama' ? 'stop' : 'refusal');
      break;
    case 'nonsense':
      reply(response, request, 'The total is {surely} 42. }');
      break;
    case 'truncated_json':
      reply(response, request, half);
      break;
    case 'cut_off':
      reply(response, request, half, 'length');
      break;
    case 'wrong_schema':
      reply(response, request, { fields: { invoice_number: { deep: [1, 2, 3] } }, total_amount: 5 });
      break;
    case 'not_json':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><p>Welcome to this network. Please sign in.');
      break;
    case 'rate_limited':
      sendError(response, request, 429, { 'retry-after-ms': '20' });
      break;
    case 'rate_limited_for_long':
      sendError(response, request, 429, { 'retry-after': '3600' });
      break;
    case 'server_error':
      sendError(response, request, 503);
      break;
    case 'unauthorized':
      sendError(response, request, 401);
      break;
    case 'no_such_model':
      sendError(response, request, 404);
      break;
    case 'rejects_schema':
      sendError(response, request, 400);
      break;
    case 'redirects':
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' });
      response.end();
      break;
    case 'resets':
      response.socket?.resetAndDestroy();
      break;
    case 'hangs':
      break;
    case 'hangs_after_headers':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
      break;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      trickle(response);
      break;
    case 'gigantic':
      response.writeHead(200, { 'content-type': 'application/json' });
      pour(response);
  }
}

/** Keeps sending something, little by little, as long as someone listens. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
}

/** Sends more than anyone reads, as fast as it is read. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(256 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
