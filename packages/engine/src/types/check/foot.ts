import type { Layout, TextLine } from '@millrace/document-model';
import type { ComposedFields } from '../../compose/compose.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/** A number of a check's foot: groups of digits that dashes join. */
interface FootNumber {
  readonly text: string;
  readonly stretch: Required<Stretch>;
}

/** Which numbers of a foot are what, by how many digits each has: `6 2-4 8`. The account may be several numbers. */
interface Foot {
  readonly shape: RegExp;
  readonly routing: number;
  /** Where the account begins; left out where the foot has only a part of it. */
  readonly account?: number;
}

const feet: readonly Foot[] = [
  // India: number, code of the branch, a part of the account, kind of the check.
  { shape: /^6 9 6 2$/, routing: 1 },
  // Britain and Ireland: number, sort code, account.
  { shape: /^6 (?:6|2-4|2-2-2) 8$/, routing: 1, account: 2 },
  // Canada: number, transit number of the branch and the institution, account.
  { shape: /^\d{1,2} 5-3(?: \d+(?:-\d+)*)+$/, routing: 1, account: 2 },
  // Australia and New Zealand: number, code of the branch, account.
  { shape: /^6 (?:3-3|2-4)(?: \d+(?:-\d+)*)+$/, routing: 1, account: 2 },
];

const leastAccount = 5;
const mostAccount = 12;

/** The foot of a check of countries other than the United States, whose order and lengths say what is what. */
export function footOf(layout: Layout): ComposedFields {
  for (const row of visualRows(layout).toReversed()) {
    const numbers = numbersOf(row);
    const shape = numbers
      .map(({ text }) =>
        text
          .split('-')
          .map(({ length }) => length)
          .join('-'),
      )
      .join(' ');
    const foot = feet.find((each) => each.shape.test(shape));
    if (!foot) continue;
    const account = foot.account === undefined ? [] : numbers.slice(foot.account);
    const accountDigits = account.map(({ text }) => text.replaceAll('-', '')).join('');
    if (foot.account !== undefined && (accountDigits.length < leastAccount || accountDigits.length > mostAccount))
      continue;
    const [number, routing] = [numbers[0]!, numbers[foot.routing]!];
    return {
      check_number: composedValue(number.text, 84, [number.stretch]),
      routing_number: composedValue(routing.text, 84, [routing.stretch]),
      ...(account.length > 0
        ? {
            account_number: composedValue(
              accountDigits,
              84,
              account.map(({ stretch }) => stretch),
            ),
          }
        : {}),
    };
  }
  return {};
}

/** The numbers of a row that has nothing but digits and signs; none of another. */
function numbersOf(row: readonly TextLine[]): readonly FootNumber[] {
  if (row.some(({ text }) => /[\p{L}$€£.,/%]/u.test(text.replace(/^[A-D\d ]+$/, '')))) return [];
  return row.flatMap((line) =>
    [...line.text.matchAll(/\d+(?:[-–⑉"'D]\d+)*/g)].map((match) => ({
      text: match[0].replaceAll(/\D/g, '-'),
      stretch: { line, start: match.index, end: match.index + match[0].length },
    })),
  );
}
