import type { Layout, TextLine } from '@millrace/document-model';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import type { Prose } from '../../compose/prose.ts';
import { isValediction } from '../../compose/valediction.ts';
import { type Party, partyOfLine } from './party-name.ts';

/** Who sends a letter: the organization in its head above whom it addresses, or the one below its closing words. */
export function senders(layout: Layout, prose: Prose): readonly Party[] {
  const at = layout.lines.slice(0, 40).findIndex(({ text }) => salutation.test(text));
  if (at < 1) return [];
  const isFirm = ({ text }: TextLine) => isOrganizationName(text) !== null && !/[:@\d]/.test(text);
  const closing = layout.lines.findIndex(({ text }, index) => index > at && isValediction(text));
  const below = closing < 0 ? [] : layout.lines.slice(closing + 1, closing + 7);
  const head = layout.lines.slice(0, Math.min(at, letterheadLines));
  const firm = below.find(isFirm) ?? head.find(isFirm);
  return firm ? partyOfLine(firm, prose) : [];
}

const letterheadLines = 4;

const salutation = /^(?:ladies and gentlemen|gentlemen|dear\b|to whom)/i;

/** Whom a letter addresses: the company above the salutation, or else the person whom the salutation names. */
export function addressees(layout: Layout, prose: Prose): readonly Party[] {
  const lines = layout.lines.slice(0, 40);
  const at = lines.findIndex(({ text }) => salutation.test(text));
  if (at < 1) return [];
  const above = lines.slice(Math.max(0, at - 14), at);
  const company = above.findLast(
    ({ text }) => isOrganizationName(text) === 'legal_form' && !/^(?:re|attn|attention|cc)\b/i.test(text),
  );
  const [, addressed] = /^dear (?:(?:mr|ms|mrs|dr)\.? )?(\p{Lu}[\p{L}’'-]+)[:,]?$/iu.exec(lines[at]!.text) ?? [];
  const person = above.find(
    ({ text }) => addressed !== undefined && isPersonName(text) && text.split(' ').some((word) => word === addressed),
  );
  return [company, person].flatMap((line) => (line ? partyOfLine(line, prose) : []));
}
