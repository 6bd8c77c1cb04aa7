import { type BodyOf, type CallPortal, type DataOf, Refused } from '../api.ts';
import { element, labelled } from '../dom.ts';
import { bodyFields, InvalidBody } from './body.ts';
import type { OwnKey } from './keys.ts';
import { parameterFields } from './parameters.ts';
import { resultView } from './result.ts';
import type { TryTexts } from './texts.ts';

type Operation = DataOf<'getCatalogOperation'>;
type Body = BodyOf<'sendPortalTry'>;
type Result = DataOf<'sendPortalTry'>;

/** What the panel shows, and how it sends. */
export interface PanelParts {
  readonly operation: Operation;
  /** Of the API that the operation belongs to. */
  readonly basePath: string;
  /** Null for who is not signed in. */
  readonly keys: readonly OwnKey[] | null;
  readonly signInUrl: string;
  readonly startUrl: string;
  readonly call: CallPortal;
  readonly texts: TryTexts;
  readonly language: string;
  /** The key was made just now: nodes reject it until they know it, within a second or so. */
  readonly isNewKey?: boolean;
}

const chosenKey = 'portal.try.credential';

/** The panel that sends an operation's requests through the gateway. */
export function tryPanel(parts: PanelParts): HTMLElement {
  const { operation, basePath, keys, call, texts, language } = parts;
  const parameters = parameterFields(operation.parameters, texts);
  const body = operation.requestBody && bodyFields(operation.requestBody, texts);
  const key = keySelect(parts);
  const send = element('button', { class: 'button primary', type: 'submit' }, texts.send);
  const problem = element('p', { class: 'try-problem', role: 'alert' });
  const result = element('div', { class: 'try-result', role: 'status' });
  const form = element(
    'form',
    { class: 'try-form', 'aria-label': texts.title },
    key && labelled(key, { label: texts.key }),
    keys === null && operation.product.sandbox ? signInHint(parts, texts.sandboxText) : null,
    ...parameters.elements,
    body?.element ?? null,
    element('div', { class: 'actions' }, send),
    problem,
  );
  const request = async (): Promise<Body> => ({
    productId: operation.product.id,
    proxyId: operation.proxyId,
    method: operation.method.toLowerCase() as Body['method'],
    path: operation.path.slice(basePath.length) || '/',
    credentialId: key?.value || null,
    ...parameters.values(),
    body: (await body?.value()) ?? null,
  });
  const sendUntilKnown = async (sent: Body): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call<Result>('/try', sent);
      const { status } = answer.response ?? {};
      if (!parts.isNewKey || attempt === 5 || (status !== 401 && status !== 403)) return answer;
      await new Promise((resume) => setTimeout(resume, 700));
    }
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    send.disabled = true;
    send.textContent = texts.sending;
    try {
      const sent = await request();
      const answer = await sendUntilKnown(sent);
      result.replaceChildren(...resultView(answer, sent.body, texts, language));
    } catch (error) {
      result.replaceChildren();
      problem.textContent = messageOf(error, texts);
    } finally {
      send.disabled = false;
      send.textContent = texts.send;
    }
  });
  const mayUse = keys === null ? operation.product.sandbox : keys.length > 0 || operation.product.sandbox;
  return element(
    'div',
    { class: 'try-panel' },
    element('h2', {}, texts.title),
    ...(mayUse ? [element('p', { class: 'muted small' }, texts.note), form, result] : [wayToKey(parts)]),
  );
}

function messageOf(error: unknown, texts: TryTexts): string {
  if (error instanceof InvalidBody) return error.message;
  if (!(error instanceof Refused)) return texts.unreachable;
  const fields = Object.entries(error.errors).map(([path, message]) => `${path}: ${message}`);
  return [error.message, ...fields].join(' ');
}

/** Own keys, and the sandbox where the product has one; null where there is nothing to choose. */
function keySelect({ keys, operation, texts }: PanelParts): HTMLSelectElement | null {
  if (keys === null || keys.length === 0) return null;
  const kept = sessionStorage.getItem(chosenKey);
  const select = element(
    'select',
    {},
    ...keys.map(({ credentialId, label }) =>
      element('option', { value: credentialId, selected: credentialId === kept }, label),
    ),
    operation.product.sandbox ? element('option', { value: '' }, texts.sandbox) : null,
  );
  select.addEventListener('change', () => sessionStorage.setItem(chosenKey, select.value));
  return select;
}

function signInHint({ signInUrl, texts }: PanelParts, before: string): HTMLElement {
  return element(
    'p',
    { class: 'small' },
    before === '' ? '' : `${before} `,
    element('a', { href: signInUrl }, texts.signIn),
    ` ${texts.signInText}`,
  );
}

function wayToKey(parts: PanelParts): HTMLElement {
  const { keys, startUrl, texts } = parts;
  if (keys === null) return signInHint(parts, '');
  return element('p', {}, `${texts.noKeys} `, element('a', { href: startUrl }, texts.createKey));
}
