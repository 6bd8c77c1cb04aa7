import type { Layout, TextLine } from '@millrace/document-model';
import type { ComposedFields } from '../../compose/compose.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/** A number of a check's foot: groups of digits that dashes join. */
interface FootNumber {
  readonly text: string;
  readonly stretch: Required<Stretch>;
}

/** Which numbers of a foot are what, by how many digits each has: `6 2-4 8`, or `6 2 4 8` where the dash was not read. */
interface Foot {
  readonly shape: RegExp;
  /** How many numbers behind the check's own are the branch's. */
  readonly routingParts: 1 | 2;
  /** Whether all that follows is the account; of India's it is only a part. */
  readonly hasAccount: boolean;
  /** Whether the last number says what kind of check it is. */
  readonly hasKind?: true;
}

const feet: readonly Foot[] = [
  // India: number, code of the branch, a part of the account, kind of the check.
  { shape: /^6 9 6 2$/, routingParts: 1, hasAccount: false },
  // Britain and Ireland: number, sort code, account.
  { shape: /^6 (?:6|2-4|2-2-2) 8$/, routingParts: 1, hasAccount: true },
  { shape: /^6 2 4 8$/, routingParts: 2, hasAccount: true },
  // Canada: number, transit number of the branch and the institution, account.
  { shape: /^\d{1,2} 5-3(?: \d+(?:-\d+)*)+$/, routingParts: 1, hasAccount: true },
  { shape: /^\d{1,2} 5 3(?: \d+(?:-\d+)*)+$/, routingParts: 2, hasAccount: true },
  // Australia and New Zealand: number, code of the branch, account.
  { shape: /^6 (?:3-3|2-4)(?: \d+(?:-\d+)*)+$/, routingParts: 1, hasAccount: true },
  { shape: /^6 3 3(?: \d+(?:-\d+)*)+$/, routingParts: 2, hasAccount: true },
  // Singapore and Sri Lanka: number, code of the bank and the branch, account; Malaysia: the same in other lengths.
  { shape: /^6 (?:4-3|2-5)(?: \d+(?:-\d+)*)+$/, routingParts: 1, hasAccount: true },
  // Nigeria and Bangladesh: number, code of the bank and the branch, account, kind of the check.
  { shape: /^(?:8 9 10|7 9 1[13]) 2$/, routingParts: 1, hasAccount: true, hasKind: true },
];

const leastAccount = 5;
const mostAccount = 13;

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
    const routing = numbers.slice(1, 1 + foot.routingParts);
    const account = foot.hasAccount ? numbers.slice(1 + foot.routingParts, foot.hasKind ? -1 : undefined) : [];
    const digits = account.map(({ text }) => text.replaceAll('-', '')).join('');
    if (foot.hasAccount && (digits.length < leastAccount || digits.length > mostAccount)) continue;
    const placesOf = (parts: readonly FootNumber[]) => parts.map(({ stretch }) => stretch);
    return {
      check_number: composedValue(numbers[0]!.text, 84, placesOf(numbers.slice(0, 1))),
      routing_number: composedValue(routing.map(({ text }) => text).join('-'), 84, placesOf(routing)),
      ...(account.length > 0 && { account_number: composedValue(digits, 84, placesOf(account)) }),
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
