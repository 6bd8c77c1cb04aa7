import type { Layout } from '@millrace/document-model';
import { isFormPhrase, isHeading } from '../candidates/headings.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import type { ScoredField } from '../score/score.ts';
import type { DocumentType } from '../types/definition.ts';
import { whole } from './at-caption.ts';
import { type CaptionedText, textsAtCaption } from './captioned.ts';
import { isLabelOfSum } from './labelled-rows.ts';

/** Fields by which documents are known, and what they are called where they are captioned exactly. */
const exact = new Set([
  ...['invoice_number', 'credit_note_number', 'invoice_date', 'credit_note_date', 'bl_number', 'report_date'],
  ...['member_name', 'member_id', 'group_number', 'patient_name', 'patient_id', 'employee_name', 'employee_id'],
  ...['meter_number', 'account_number', 'pay_date'],
]);
/** Of these the caption may as well stand in a box above the value. */
const boxed = new Set(['bl_number', 'pay_date']);
const exactScore = 0.97;
/** What a caption's score becomes where its value stands right of it, or below it. */
const rightShare = 0.95;
const belowShare = 0.9;
const confidence = 82;

/** A captioned number without the one word behind it that says what kind of account or customer it is: `5010022887 PRIME`. */
function beforeKindOfNumber(text: CaptionedText): CaptionedText {
  const at = /(?<=^[^\p{L}]{6,}) \(?\p{L}{3,}\)?$/u.exec(text.text)?.index;
  if (at === undefined) return text;
  return { ...text, text: text.text.slice(0, at), stretch: { ...text.stretch, end: text.stretch.start + at } };
}

function isNoName(kind: string, text: string): boolean {
  return kind === 'name' && (isHeading(text) || isFormPhrase(text) || /\d/.test(text));
}

/**
 * The scored fields, with numbers and dates of documents first that stand at a caption of their very own, where what
 * was the likeliest stands elsewhere: a page prints many numbers, and one `Invoice number:`.
 */
export function withExactCaptions(
  type: DocumentType,
  scored: readonly ScoredField[],
  layout: Layout,
  candidates: readonly PlacedCandidate[],
): readonly ScoredField[] {
  if (type.isOwn) return scored;
  return scored.map((entry) => {
    const { field, ranked, threshold } = entry;
    const best = ranked[0];
    if (!exact.has(field.name) || !best || best.probability < threshold) return entry;
    const kinds = candidates.filter((candidate) => candidate.kind === field.kind && candidate.layout === layout);
    const found = textsAtCaption(type, field.name, layout).flatMap((text) => {
      const share = { behind: 1, right: rightShare, below: boxed.has(field.name) ? belowShare : Infinity }[text.place];
      const candidate =
        text.score >= exactScore * share ? (whole(text, kinds) ?? whole(beforeKindOfNumber(text), kinds)) : null;
      const isLabel = field.kind === 'name' && text.place === 'behind' && isLabelOfSum(text.stretch.line, layout);
      return candidate && !isLabel && !isNoName(candidate.kind, candidate.text) ? [candidate] : [];
    });
    const [first] = found;
    if (!first || first.value === best.candidate.value || found.some(({ value }) => value !== first.value))
      return entry;
    const value = { candidate: first, candidates: [first], probability: best.probability, confidence };
    return { field, ranked: [value, ...ranked.filter(({ candidate }) => candidate.value !== first.value)], threshold };
  });
}
