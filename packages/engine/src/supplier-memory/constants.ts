import type {
  ExtractedValue,
  Extraction,
  JsonValue,
  Layout,
  Provenance,
  ValueFlag,
  ValueKind,
} from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { comparable } from '../score/comparable.ts';
import type { DocumentType } from '../types/definition.ts';
import { plain, textLikeness } from './likeness.ts';
import { ownFieldsOf } from './own-fields.ts';
import type { Recognition } from './recognise.ts';

/** What may be taken from a sender's earlier documents though it stands nowhere in this one, such as in its logo. */
const copiedKinds: readonly ValueKind[] = ['organization', 'name', 'address'];
/** What shows where money goes or whose taxes they are: a change of it deserves a look. */
const guardedKinds: readonly ValueKind[] = ['iban', 'tax_id'];
/** Two readings of the same text differ in a letter now and then. */
const sameText = 0.85;

/**
 * Replaces what was read by the supplier's own data, such as its name and address, from its confirmed documents: if it
 * is printed in this document too, or, for names and addresses of a supplier beyond doubt, if nothing sure was read
 * instead. Numbers are never copied: an IBAN other than the confirmed one keeps its value, with a lower confidence.
 */
export function applyConstants(
  type: DocumentType,
  extraction: Extraction,
  layout: Layout,
  candidates: readonly PlacedCandidate[],
  { sender, certain }: Recognition,
  only: readonly string[] | null,
): Extraction {
  const own = ownFieldsOf(type);
  if (!own) return extraction;
  const kinds = new Map(type.fields.map(({ name, kind }) => [name, kind]));
  const fields = { ...extraction.fields };
  for (const name of own.all) {
    const kind = kinds.get(name);
    const known = agreedConstant(sender.lessons, name, kind);
    if (kind === undefined || typeof known !== 'string' || (only !== null && !only.includes(name))) continue;
    const value = constantValue(known, kind, fields[name], { certain, layout, candidates });
    if (value) fields[name] = value;
  }
  return { ...extraction, fields };
}

/** The value that all lessons which have the field agree on, as the newest has it. */
function agreedConstant(
  lessons: Recognition['sender']['lessons'],
  name: string,
  kind: ValueKind | undefined,
): JsonValue | null {
  const values = lessons.flatMap(({ constants }) => (constants[name] === undefined ? [] : [constants[name]]));
  const [newest] = values;
  if (newest === undefined || kind === undefined) return null;
  return values.every((value) => comparable(kind, value) === comparable(kind, newest)) ? newest : null;
}

function constantValue(
  known: string,
  kind: ValueKind,
  read: ExtractedValue | undefined,
  scene: { readonly certain: boolean; readonly layout: Layout; readonly candidates: readonly PlacedCandidate[] },
): ExtractedValue | null {
  const { certain } = scene;
  const key = comparable(kind, known);
  const text = read === undefined ? '' : String(read.value);
  if (read && comparable(kind, text) === key) {
    return { ...read, confidence: Math.max(read.confidence, certain ? 97 : 92), flags: taught(read.flags) };
  }
  const isText = copiedKinds.includes(kind);
  if (read && isText && textLikeness(plain(text), plain(known)) >= sameText) {
    // The same but for how it was read or cut this time.
    return { ...read, value: known, confidence: certain ? 95 : 85, flags: taught(read.flags) };
  }
  const printed = placesOf(known, kind, key, scene);
  if (printed.length > 0 && (certain || (read?.confidence ?? 0) < 70)) {
    return { value: known, confidence: certain ? 95 : 82, provenance: printed, flags: ['taught'] };
  }
  if (!certain) return null;
  if (isText && (read?.confidence ?? 0) < 90) {
    return { value: known, confidence: 88, provenance: [], flags: ['taught', 'not_in_document'] };
  }
  if (read && guardedKinds.includes(kind)) {
    return { ...read, confidence: Math.min(read.confidence, 60), flags: [...read.flags, 'unlike_sender'] };
  }
  return null;
}

function taught(flags: readonly ValueFlag[]): readonly ValueFlag[] {
  return flags.includes('taught') ? flags : [...flags, 'taught'];
}

/** Where a value is printed: as a candidate, or within a line. */
function placesOf(
  known: string,
  kind: ValueKind,
  key: string,
  { layout, candidates }: { readonly layout: Layout; readonly candidates: readonly PlacedCandidate[] },
): readonly Provenance[] {
  const candidate = candidates.find((each) => each.kind === kind && comparable(kind, each.value) === key);
  if (candidate) {
    return candidate.lines.map(({ page, text, words, box }) => ({
      page,
      box: candidate.lines.length === 1 ? candidate.box : box,
      text: candidate.lines.length === 1 ? candidate.text : text,
      source: words[0]?.source ?? 'text',
    }));
  }
  const wanted = plain(known);
  if (wanted.length < 4) return [];
  const line = layout.lines.find(({ text }) => plain(text).includes(wanted));
  return line ? [{ page: line.page, box: line.box, text: line.text, source: line.words[0]?.source ?? 'text' }] : [];
}
