import { HeaderList } from '@millrace/policies/headers';
import type { ReportedLimit } from '@millrace/policies/limit-headers';
import type { Caller, GatewayErrorCode, Exchange as PolicyExchange, ReceivedRequest } from '@millrace/policies/run';
import type { Deadlines } from '../http/deadlines.ts';
import { type RequestId, setRequestId } from '../http/request-ids.ts';
import type { Workspace } from '../http/workspaces.ts';
import type { GrpcCall } from '../http2/grpc.ts';
import type { CompiledDeployment, CompiledRoute, LoadedSnapshot } from '../snapshot/compile.ts';
import { parameterValues } from '../snapshot/routes.ts';
import type { FrontConnection } from './connection.ts';
import type { AnswerSource, CallerSide } from './front.ts';
import type { Debit } from './prepaid.ts';
import type { RequestTrace } from './record.ts';
import type { Framing } from './request-head.ts';
import type { RequestTarget } from './request-target.ts';
import type { UnitsState } from './units.ts';

class Request implements ReceivedRequest, RequestTarget {
  method = '';
  path = '';
  query = '';
  authority: string | null = null;
  headers: HeaderList = noHeaders;
  contentLength: number | null = 0;
  headerBytes = 0;
}

const noHeaders = new HeaderList();
const unmatched = { id: '', name: '' };
const unmatchedRoute = { id: '', method: '', pathPattern: '' };

/** One request in flight, from its head to the end of its response, with everything known about it. */
export class Exchange implements PolicyExchange, RequestId {
  idBegin = '';
  idEnd = '';
  readonly startedAtMs: number;
  readonly connection: CallerSide;
  /** The configuration that it started with. */
  readonly snapshot: LoadedSnapshot | null;
  readonly request = new Request();
  /** From the head; for a request in absolute form, the same as in its target. */
  host: string | null = null;
  /** The Host field as received. */
  authority: string | null = null;
  isHttp11 = true;
  framing: Framing = 0;
  keepsAlive = false;
  expectsContinue = false;
  /** The connection, if the request asks for a WebSocket. */
  tunnel: FrontConnection | null = null;
  /** Null: it is no call of gRPC. */
  grpc: GrpcCall | null = null;

  deployment: CompiledDeployment | null = null;
  matched: CompiledRoute | null = null;
  /** A browser's preflight request: the route is the one that it is going to call. */
  isPreflight = false;
  caller: Caller | null = null;
  reportedLimit: ReportedLimit | null = null;
  /** Where its response comes from; null until the target is called. */
  source: AnswerSource | null = null;
  /** The gateway's own error. */
  error: GatewayErrorCode | null = null;
  /** Of the response; 499 if the caller disconnected before. */
  status = 0;
  /** Null where requests are not traced. */
  trace: RequestTrace | null = null;
  /** Whether it is recorded, and thereby finished. */
  isOver = false;
  target: string | null = null;
  retries = 0;
  /** Moments of the monotonic clock, in milliseconds; 0: not yet. */
  readonly startedMs: number;
  sentMs = 0;
  answeredMs = 0;
  endedMs = 0;
  requestBytes = 0;
  responseBytes = 0;
  /** What the response states that the call used, in millionths of a unit. */
  microUnits = 0;
  unitsState: UnitsState = 'uncounted';
  /** From a prepaid balance; null: none. */
  debit: Debit | null = null;

  readonly workspace: Workspace | null;
  /** Of the request's head, at the beginning of the workspace. */
  headBytes = 0;
  /** Whether something is still written from the workspace, so that nobody else may have it. */
  isWorkspaceLent = false;
  #answerHeaders: HeaderList | null = null;
  #forwardedAddress: string | null = null;

  constructor(
    connection: CallerSide,
    snapshot: LoadedSnapshot | null,
    workspace: Workspace | null,
    { nowMs, unixMs }: Deadlines,
  ) {
    setRequestId(this);
    this.connection = connection;
    this.snapshot = snapshot;
    this.workspace = workspace;
    this.startedMs = nowMs;
    this.startedAtMs = unixMs;
  }

  get id(): string {
    return this.idBegin + this.idEnd;
  }

  get connectionAddress(): string {
    return this.connection.address;
  }

  get forwardedAddress(): string {
    this.#forwardedAddress ??= this.connection.addressBehind(this.request.headers);
    return this.#forwardedAddress;
  }

  get proxy() {
    return this.deployment?.proxy ?? unmatched;
  }

  get route() {
    return this.matched ?? unmatchedRoute;
  }

  pathParameters(): Readonly<Record<string, string>> {
    const { matched, deployment, request } = this;
    if (matched === null || deployment === null) return {};
    const values = parameterValues(matched.pathPattern, request.path, deployment.basePath.length);
    delete values['*'];
    for (const name of Object.keys(values)) values[name] = decodeURIComponent(values[name]!);
    return values;
  }

  get answerHeaders(): HeaderList {
    this.#answerHeaders ??= new HeaderList();
    return this.#answerHeaders;
  }

  /** {@link Exchange.answerHeaders}; null where there are none, as of most requests. */
  get addedToAnswer(): HeaderList | null {
    return this.#answerHeaders;
  }
}
