import type { EvaluatedCase } from '../labelled/cases.ts';
import { isAccepted } from './score.ts';

/** A set with its evaluated cases. */
export interface EvaluatedSet {
  readonly name: string;
  readonly cases: readonly EvaluatedCase[];
}

/** A labelled value with what was answered. */
interface Outcome {
  readonly set: string;
  readonly document: string;
  readonly docType: string;
  readonly language: string;
  /** Null where nothing was answered. */
  readonly confidence: number | null;
  readonly right: boolean;
  /** Whether the page shows the label, as far as that is asked. */
  readonly printed: boolean;
  /** Whether the floor answers it right; null where it was not asked. */
  readonly floor: boolean | null;
}

function outcomesOf({ name, cases }: EvaluatedSet): readonly Outcome[] {
  return cases.flatMap(({ key, docType, truth, answer, floor, printed }) =>
    Object.entries(truth.fields).map(([field, accepted]): Outcome => {
      const value = answer.fields[field];
      return {
        set: name,
        document: `${key} ${docType}`,
        docType,
        language: String(answer.fields.language?.value ?? 'unknown'),
        confidence: value?.confidence ?? null,
        right: isAccepted(value, accepted),
        printed: printed?.fields.has(field) ?? true,
        floor: floor && isAccepted(floor[field], accepted),
      };
    }),
  );
}

/** All sets in one view as Markdown: by type, by language, and by confidence. */
export function overviewOf(sets: readonly EvaluatedSet[]): string {
  const outcomes = sets.flatMap(outcomesOf);
  const parts = [
    '## Overview',
    `*Wrong* is the share of all labelled values that were answered with another; the rest is absent. *90 and more* is the share of
the answers with such a confidence; *Right where printed* leaves those out whose label the page does not show. *Floor* is
what is right without anything learned: the text layer or Tesseract, the same recognisers, and for each field the candidate
with the strongest of its captions beside or above it.`,
    tableOf(
      'Set and type',
      Map.groupBy(outcomes, ({ set, docType }) => `${set}: \`${docType}\``),
    ),
    tableOf(
      'Language',
      Map.groupBy(outcomes, ({ language }) => language),
    ),
    '![How often values are right, by their confidence](evaluation.svg)',
  ];
  return `${parts.join('\n\n')}\n`;
}

function tableOf(title: string, groups: ReadonlyMap<string, readonly Outcome[]>): string {
  const header = [
    title,
    'Documents',
    'Values',
    'Right',
    'Wrong',
    '90 and more',
    'Right of these',
    'Right where printed',
    'Floor',
  ];
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => rowOf(name, own));
  return [
    header,
    header.map((_, index) => (index === 0 ? '---' : '---:')),
    ...rows,
    rowOf('all', [...groups.values()].flat()),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function rowOf(name: string, outcomes: readonly Outcome[]): readonly string[] {
  const answered = outcomes.filter(({ confidence }) => confidence !== null);
  const right = outcomes.filter((outcome) => outcome.right).length;
  const sure = answered.filter(({ confidence }) => confidence! >= 90);
  const shown = sure.filter(({ printed }) => printed);
  const floors = outcomes.filter(({ floor }) => floor !== null);
  return [
    name,
    `${new Set(outcomes.map(({ document }) => document)).size}`,
    `${outcomes.length}`,
    percent(right, outcomes.length),
    percent(answered.length - right, outcomes.length),
    percent(sure.length, answered.length),
    percent(sure.filter((outcome) => outcome.right).length, sure.length),
    percent(shown.filter((outcome) => outcome.right).length, shown.length),
    percent(floors.filter(({ floor }) => floor).length, floors.length),
  ];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

const size = 360;
const margin = 46;
const binWidth = 10;

/** A picture of how often values are right over their confidence, in bins of ten; the larger a dot, the more values. */
export function reliabilityPicture(sets: readonly EvaluatedSet[]): string {
  const answered = sets.flatMap(outcomesOf).filter(({ confidence }) => confidence !== null);
  const x = (share: number) => (margin + share * (size - 2 * margin)).toFixed(1);
  const y = (share: number) => (size - margin - share * (size - 2 * margin)).toFixed(1);
  const bins = Map.groupBy(answered, ({ confidence }) => Math.min(9, Math.floor(confidence! / binWidth)));
  const dots = [...bins].map(([, own]) => {
    const mean = own.reduce((sum, { confidence }) => sum + confidence!, 0) / own.length / 100;
    const right = own.filter((outcome) => outcome.right).length / own.length;
    const radius = (3 + 12 * Math.sqrt(own.length / answered.length)).toFixed(1);
    const title = `${own.length} values, mean confidence ${(100 * mean).toFixed(1)}, ${percent(right * own.length, own.length)} right`;
    return `<circle cx="${x(mean)}" cy="${y(right)}" r="${radius}"><title>${title}</title></circle>`;
  });
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (share) =>
      `<text x="${x(share)}" y="${size - margin + 18}" text-anchor="middle">${100 * share}</text>` +
      `<text x="${margin - 8}" y="${Number(y(share)) + 4}" text-anchor="end">${100 * share}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" font-family="sans-serif" font-size="11">
<title>Share of right answers by confidence</title>
<rect width="${size}" height="${size}" fill="#fff"/>
<path d="M${x(0)} ${y(0.05)}L${x(0.95)} ${y(1)}H${x(1)}V${y(0.95)}L${x(0.05)} ${y(0)}H${x(0)}Z" fill="#e6eef7"/>
<path d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}M${x(0)} ${y(0)}L${x(1)} ${y(1)}" fill="none" stroke="#777"/>
<g fill="#1f5fa8">${dots.join('')}</g>
${ticks.join('\n')}
<text x="${size / 2}" y="${size - 8}" text-anchor="middle">Confidence</text>
<text x="12" y="${size / 2}" text-anchor="middle" transform="rotate(-90 12 ${size / 2})">Right, %</text>
</svg>
`;
}
