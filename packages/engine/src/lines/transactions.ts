import type { ExtractedRow, ExtractedValue, Locale, ValueFlag, Word } from '@millrace/document-model';
import { findDates, isoDate, parseDate, resolveDate } from '../candidates/date.ts';
import type { DocumentType } from '../types/definition.ts';
import { type BodyRow, boundariesOf, splitRow, textOf } from './columns.ts';
import { findHeaders, gatherCaptions, type Row } from './header.ts';
import { sections } from './items.ts';
import { agree, type Roles, rolesByCaption } from './roles.ts';
import { type CellNumber, dateOf, extractedValue, numberOf, type Piece, partialDate } from './values.ts';
import { captionForm, isCarryOver, isTotalLabel, signedAmountCaptions } from './vocabulary.ts';

/** A bound on hostile pages. */
const rowLimit = 5_000;
const amountRoles = new Set(['debit', 'credit', 'balance', 'signed']);

interface CellDate {
  readonly value: string;
  readonly ambiguous: boolean;
  readonly piece: Piece;
}

interface Transaction {
  date: CellDate | null;
  valueDate: CellDate | null;
  readonly description: Piece[];
  readonly reference: Piece[];
  readonly numbers: Map<string, { readonly number: CellNumber; readonly piece: Piece }>;
  readonly page: number;
  bottom: number;
}

/** What a transaction did, once its sign is known. */
interface Movement {
  /** Positive what came in; null where no amount was read. */
  readonly amount: number | null;
  readonly flags: readonly ValueFlag[];
}

/**
 * Reads a bank statement's transactions. Amounts in one column are distinguished by their sign, by a mark such as `S`
 * and `H` or `DR` and `CR`, or by the balances, which also prove them.
 */
export function readTransactions(type: DocumentType, rows: readonly Row[], locale: Locale): readonly ExtractedRow[] {
  const captions = gatherCaptions(type.columns, { name: 'signed', captions: signedAmountCaptions });
  const headers = findHeaders(rows, captions, isStatementTable);
  const balanceLabels = labelsOf(type, ['opening_balance', 'closing_balance', 'total_credits', 'total_debits']);
  const latest = latestDate(rows, locale);
  const transactions: Transaction[] = [];
  const balances: number[] = [];
  const titled = new Map(
    headers.flatMap(({ firstRow, lastRow }) => {
      const [begins, side] = [rows[lastRow + 1], titleOf(rows.slice(Math.max(0, firstRow - titleRows), lastRow + 1))];
      return begins && side ? [[begins, side] as const] : [];
    }),
  );
  for (const { header, body } of sections(rows, headers)) {
    const named = header.headings.map((heading) => heading.names.some((name) => amountRoles.has(name)));
    const boundaries = boundariesOf(header, body);
    const split = body.map((row) => splitRow(row, boundaries, (column) => named[column] === true));
    const roles = rolesByCaption(
      header.headings,
      split.filter((row) => row.cells.some((cell) => numberOf(cell, locale))),
      locale,
    );
    const sides = body.map((row) => titled.get(row) ?? null);
    gather(split, withDay(roles, split, locale), { locale, latest, balanceLabels, transactions, balances, sides });
  }
  if (transactions.length === 0)
    gatherDated(rows, { locale, latest, balanceLabels, transactions, balances, sides: [] });
  const moving = transactions.filter((transaction) =>
    ['debit', 'credit', 'signed'].some((role) => transaction.numbers.has(role)),
  );
  const listed = sumsUp(moving) ? moving.slice(0, -1) : moving;
  for (const transaction of listed) takeValueDay(transaction, locale);
  const found = isOfCard(rows, listed) ? listed.map(chargedToCard) : listed;
  const movements = movementsOf(found, balances[0] ?? null);
  const proven = provesSums(movements, balances);
  return found.map((transaction, at) => rowOf(transaction, movements[at] as Movement, proven));
}

/** What stands before the day of value at the end of a line of what was booked: `Wert: 05.06.2025`. */
const valueDayWord = /^(?:wert(?:stellung)?|valuta|value date|valeur|date de valeur|fecha valor|data valuta) ?[:.]?$/iu;

/** Takes the day of value out of a transaction's description, which no column has. */
function takeValueDay(transaction: Transaction, locale: Locale): void {
  if (transaction.valueDate) return;
  for (const [at, { page, words }] of transaction.description.entries()) {
    for (const before of words.keys()) {
      const start = [1, 2, 3, 4].findLast((length) => valueDayWord.test(textOf(words.slice(before, before + length))));
      const day = start === undefined ? [] : words.slice(before + start);
      const found = day.length <= 3 ? dateOf(day, locale) : null;
      if (!found) continue;
      transaction.valueDate = { ...found, piece: { page, words: day } };
      const rest = words.slice(0, before);
      transaction.description.splice(at, 1, ...(rest.length > 0 ? [{ page, words: rest }] : []));
      return;
    }
  }
}

const cardWords = /(?<!\p{L})(?:credit (?:limit|line)|minimum payment|available credit|kreditrahmen)(?!\p{L})/iu;

/** Whether the movements are a credit card's: without a balance behind each, on a statement that says how much may be drawn. */
function isOfCard(rows: readonly Row[], transactions: readonly Transaction[]): boolean {
  return (
    transactions.length > 0 &&
    transactions.every(({ numbers }) => numbers.has('signed') && !numbers.has('balance')) &&
    rows.some((row) => row.some(({ text }) => text.length < 120 && cardWords.test(text)))
  );
}

/** A card's movement with the signs of an account: what is charged is printed without a sign, and a payment with a minus. */
function chargedToCard(transaction: Transaction): Transaction {
  const { number, piece } = transaction.numbers.get('signed')!;
  const text = textOf(piece.words);
  // A part of the statement that lists charges has their sign already.
  const isSided = number.rest !== '' && !/[-–−+()]/.test(text);
  if (isSided || /(?<!\p{L})(?:CR|DR)\.?$/iu.test(text)) return transaction;
  const turned = { ...number, value: -number.value, rest: number.value > 0 ? '-' : '+' };
  return { ...transaction, numbers: new Map([...transaction.numbers, ['signed', { number: turned, piece }]]) };
}

/** The roles of a table's columns, where a column of days that no caption names is that of the booking. */
function withDay(roles: Roles, rows: readonly BodyRow[], locale: Locale): Roles {
  if (roles.includes('date')) return roles;
  const isDay = (column: number) => {
    const filled = rows.map((row) => row.cells[column] ?? []).filter((words) => words.length > 0);
    const days = filled.filter((words) => dateOf(words, locale) || partialDate(textOf(words), locale.dateOrder));
    return days.length >= 2 && days.length > 0.6 * filled.length;
  };
  const column = roles.findIndex((role, at) => role === null && isDay(at));
  return column < 0 ? roles : roles.map((role, at) => (at === column ? 'date' : role));
}

/** Whether the last row is the total of those above it, whatever its label was read as: it has no date and their sums. */
function sumsUp(transactions: readonly Transaction[]): boolean {
  const last = transactions.at(-1);
  const above = transactions.slice(0, -1);
  if (!last || above.length < 3 || (last.date && last.date !== above.at(-1)?.date)) return false;
  return [...last.numbers].some(([role, { number }]) => {
    const values = above.flatMap((transaction) => transaction.numbers.get(role)?.number.value ?? []);
    const sum = values.reduce((total, value) => total + value, 0);
    return role !== 'balance' && values.length > 1 && Math.abs(sum - number.value) < 0.011;
  });
}

function isStatementTable(names: ReadonlySet<string>): boolean {
  const amounts = [...amountRoles].filter((role) => names.has(role)).length;
  const moved = ['debit', 'credit', 'signed'].some((role) => names.has(role));
  return (names.has('date') || names.has('value_date')) && (moved || (amounts >= 1 && names.has('description')));
}

function labelsOf(type: DocumentType, names: readonly string[]): readonly string[] {
  return type.fields
    .filter((field) => names.includes(field.name))
    .flatMap((field) => field.captions.map(captionForm))
    .filter((caption) => caption.length > 6);
}

interface Gathering {
  readonly locale: Locale;
  readonly latest: string | null;
  readonly balanceLabels: readonly string[];
  readonly transactions: Transaction[];
  readonly balances: number[];
  /** By row: what the part of the statement lists that begins with it; null where none begins. */
  readonly sides: readonly (Side | null)[];
}

/** What a part of a statement lists: what came in, what went out, or either. */
type Side = 'in' | 'out' | 'either';

/** Rows above a table's header in which its title stands, if not in the header. */
const titleRows = 3;
const incoming =
  /(?<!\p{L})(?:deposits?|additions?|credits?|received|incoming|money in|paid in|eingange?|gutschriften|einzahlungen|credits|versements|abonos|ingresos|accrediti|entrate|entradas|bijschrijvingen)(?!\p{L})/u;
const outgoing =
  /(?<!\p{L})(?:withdrawals?|subtractions?|deductions?|debits?|checks?|cheques?|fees?|charges|purchases|payments?|outgoing|money out|paid out|ausgange?|lastschriften|auszahlungen|belastungen|retraits|prelevements|cargos|retiros|addebiti|uscite|saidas|afschrijvingen)(?!\p{L})/u;
const neither =
  /^(?:transactions?|account activity|transaction (?:history|details?)|umsatze|kontobewegungen|operations|movimientos|movimenti|movimentos|transacties)$/u;

/** The side that a title without figures names; null where it is no title. */
function sideOf(text: string): Side | null {
  const form = captionForm(text);
  if (form.length > 60 || form.split(' ').length > 7 || /\d[.,]\d{2}/.test(text)) return null;
  if (neither.test(form)) return 'either';
  const [isIn, isOut] = [incoming.test(form), outgoing.test(form)];
  if (!isIn && !isOut) return null;
  return isIn === isOut ? 'either' : isIn ? 'in' : 'out';
}

/** The side that the last title among rows names. */
function titleOf(rows: readonly Row[]): Side | null {
  return rows.flatMap((row) => (row.length === 1 ? (sideOf(row[0]!.text) ?? []) : [])).at(-1) ?? null;
}

/** A balance with its day and nothing else: `SALDO A 31/07/2025`. */
const balanceOfDay = /^(?:saldo|solde|balance|kontostand|stand)(?: (?:a|al|am|au|at|on|as of|em|per|op|vom))?$/u;

function gather(rows: readonly BodyRow[], roles: Roles, into: Gathering): void {
  const { locale, latest, transactions } = into;
  let side: Side = 'either';
  let current: Transaction | null = null;
  for (const [at, row] of rows.entries()) {
    side = into.sides[at] ?? side;
    const cell = (role: string): readonly Word[] => row.cells[roles.indexOf(role)] ?? [];
    const numbers: Transaction['numbers'] = new Map();
    for (const role of amountRoles) {
      const words = cell(role);
      const number = roles.includes(role) ? numberOf(words, locale) : null;
      if (number && (number.decimals === 2 || number.currency))
        numbers.set(role, { number: signOf(number, words, role, side), piece: { page: row.page, words } });
    }
    const dateIn = (role: string): CellDate | null => {
      const words = cell(role);
      if (words.length === 0) return null;
      // A narrow column breaks `4 November 2021` over two or three rows; below `3 Feb` only its year is a part of it.
      const broken = [...words];
      let last = row;
      for (const next of rows.slice(at + 1, at + 3)) {
        if (dateOf(broken, locale) || next.page !== row.page || next.top - last.bottom > row.bottom - row.top) break;
        const more = next.cells[roles.indexOf(role)] ?? [];
        const isWholeDay = partialDate(textOf(broken), locale.dateOrder) !== null;
        if (isWholeDay && more.length > 0 && !/^(?:19|20)\d{2}$/.test(textOf(more))) break;
        broken.push(...more);
        last = next;
      }
      // Below the day of `15`, `Nov` stands the one of the next row.
      const isDay = /^\d/.test(textOf(words)) && partialDate(textOf(broken), locale.dateOrder) !== null;
      const isWhole = dateOf(broken, locale) !== null || isDay;
      return readDate(isWhole ? broken : words, row.page, locale, latest);
    };
    const date = roles.includes('date') ? dateIn('date') : null;
    const valueDate = roles.includes('value_date') ? dateIn('value_date') : null;
    const label = captionForm(row.text).replace(/^[\d ]+/, '');
    const named = numbers.size === 0 && !date && findDates(row.text).length === 0 ? sideOf(row.text) : null;
    const isTitle = named !== null && (current === null || cell('description').length < row.text.split(' ').length);
    if (named !== null && (isTitle || isApart(rows, at))) {
      side = named;
      current = null;
      continue;
    }
    if (
      into.balanceLabels.some((caption) => label.startsWith(caption)) ||
      balanceOfDay.test(label.replace(/[\d ]+/g, ' ').trim()) ||
      isCarryOver(label) ||
      (!date && isTotalLabel(label))
    ) {
      const number = numbers.get('balance') ?? [...numbers.values()].at(-1);
      if (number) into.balances.push(number.number.value);
      current = null;
      continue;
    }
    const height = Math.max(1e-6, row.bottom - row.top);
    const adjoins: boolean = current !== null && current.page === row.page && row.top - current.bottom < 1.2 * height;
    const moves = ['debit', 'credit', 'signed'].some((role) => numbers.has(role));
    const waits: boolean =
      current !== null && !['debit', 'credit', 'signed'].some((role) => current?.numbers.has(role));
    const previous: Transaction | null = transactions.at(-1) ?? null;
    const isSecondDay: boolean = adjoins && !waits && current?.valueDate === null && isDayAlone(rows, at, roles, into);
    if (isSecondDay && current && date) {
      current.valueDate = date;
    } else if ((date ?? valueDate) || (moves && !waits && cell('description').length > 0 && previous)) {
      current = {
        date: date ?? (valueDate ? null : (previous?.date ?? null)),
        valueDate,
        description: [],
        reference: [],
        numbers,
        page: row.page,
        bottom: row.bottom,
      };
      transactions.push(current);
    } else if (!current || !adjoins) {
      if (!adjoins) current = null;
      continue;
    } else {
      for (const [role, number] of numbers) if (!current.numbers.has(role)) current.numbers.set(role, number);
    }
    addText(current.description, row, cell('description'));
    if (current.reference.length === 0) addText(current.reference, row, cell('reference'));
    current.bottom = Math.max(current.bottom, row.bottom);
  }
}

/** Rows that a transaction takes at most. */
const rowsOfTransaction = 6;

/**
 * Whether a row has a day in the column of the booking and no amount before the next day or a balance: below a transaction it is its day
 * of value, as banks print both days under each other.
 */
function isDayAlone(rows: readonly BodyRow[], at: number, roles: Roles, { locale, balanceLabels }: Gathering): boolean {
  if (roles.includes('value_date')) return false;
  const wordsOf = (row: BodyRow, role: string) => row.cells[roles.indexOf(role)] ?? [];
  const isDated = (row: BodyRow) => dateOf(wordsOf(row, 'date'), locale) !== null;
  if (!isDated(rows[at]!)) return false;
  const following = rows.slice(at + 1, at + rowsOfTransaction);
  const isBalance = (row: BodyRow) => balanceLabels.some((caption) => captionForm(row.text).startsWith(caption));
  const next = following.findIndex((row) => isDated(row) || isBalance(row));
  const own = [rows[at]!, ...following.slice(0, next < 0 ? undefined : next)];
  return !own.some((row) => ['debit', 'credit', 'signed'].some((role) => numberOf(wordsOf(row, role), locale)));
}

/** Transactions of statements without a table's head are at least so many. */
const leastDated = 2;
/** In heights of a line: amounts end as near to each other as this in a column. */
const columnWidth = 0.7;

/**
 * Gathers the transactions of a statement that has no headings over them: rows that begin with a day and end with an
 * amount, and perhaps the balance behind it, which then has to follow from the one before.
 */
function gatherDated(rows: readonly Row[], into: Gathering): void {
  const { locale, latest } = into;
  let side: Side = 'either';
  let last: Transaction | null = null;
  const found: (Transaction & { readonly ends: readonly number[] })[] = [];
  for (const row of rows.slice(0, rowLimit)) {
    const text = row.map((line) => line.text).join(' ');
    const day = leadingDay(row, locale, latest);
    const amounts = day ? trailingAmounts(row, locale) : [];
    if (!day || amounts.length === 0 || amounts.length > 2) {
      const named: Side | null = day || row.length > 1 ? null : sideOf(text);
      const [line] = row;
      if (named !== null && !(last && line && line.box.y0 - last.bottom < 0.5 * (line.box.y1 - line.box.y0))) {
        side = named;
        last = null;
      }
      continue;
    }
    const words = row.flatMap((line) => line.words);
    const numbered = new Set(amounts.flatMap((amount) => amount.words));
    const description = words.slice(day.length).filter((word) => !numbered.has(word));
    const page = row[0]!.page;
    const numbers: Transaction['numbers'] = new Map();
    const [moved, balance] = amounts;
    numbers.set('signed', {
      number: signOf(moved!.number, moved!.words, 'signed', side),
      piece: { page, words: moved!.words },
    });
    if (balance)
      numbers.set('balance', {
        number: signOf(balance.number, balance.words, 'balance', side),
        piece: { page, words: balance.words },
      });
    last = {
      date: day.date,
      valueDate: null,
      description: description.length > 0 ? [{ page, words: description }] : [],
      reference: [],
      numbers,
      page,
      bottom: Math.max(...row.map((line) => line.box.y1)),
    };
    found.push({ ...last, ends: amounts.map((amount) => amount.words.at(-1)!.box.x1) });
  }
  const balanced = found.filter(({ numbers }) => numbers.has('balance'));
  const column = balanced[0]?.ends[1];
  const isBalance = (transaction: (typeof found)[number]) => {
    const [end] = transaction.ends;
    const height = transaction.bottom - (transaction.numbers.get('signed')?.piece.words[0]?.box.y0 ?? 0);
    const label = captionForm(transaction.description.map((piece) => textOf(piece.words)).join(' '));
    return (
      !transaction.numbers.has('balance') &&
      ((column !== undefined && Math.abs(end! - column) < columnWidth * height) ||
        isCarryOver(label) ||
        /(?<!\p{L})(?:balance|saldo|solde)(?!\p{L})/u.test(label))
    );
  };
  const standing = found.filter(isBalance);
  const moving = found.filter((transaction) => !isBalance(transaction));
  const opening = standing[0]?.numbers.get('signed')?.number.value ?? null;
  const proven = movementsOf(moving, opening).filter(({ flags }) => flags.includes('arithmetic_holds')).length;
  const isSigned = moving.every(({ numbers }) => numbers.get('signed')?.number.rest !== '');
  const isProven = balanced.length > 0 ? proven >= 0.5 * moving.length : isSigned;
  if (moving.length < leastDated || !isProven) return;
  into.transactions.push(...moving);
  into.balances.push(...standing.map(({ numbers }) => numbers.get('signed')!.number.value));
}

/** The day that a row begins with, and how many words it takes; null where it begins with none. */
function leadingDay(
  row: Row,
  locale: Locale,
  latest: string | null,
): { readonly date: CellDate; readonly length: number } | null {
  const words = row.flatMap((line) => line.words);
  for (const length of [3, 2, 1]) {
    const first = words.slice(0, length);
    // Letters that look like digits are no year: `04 Sep DD Council tax`.
    if (first.length < length || !/\d/.test(textOf(first)) || (length === 3 && !/^\d{2,4}\.?$/.test(first[2]!.text)))
      continue;
    const isWhole = parseDate(textOf(first), locale) !== null || partialDate(textOf(first), locale.dateOrder) !== null;
    const date = isWhole ? readDate(first, row[0]!.page, locale, latest) : null;
    if (date) return { date, length };
  }
  return null;
}

/** The amounts at the end of a row, each a line of its own. */
function trailingAmounts(row: Row, locale: Locale): { readonly number: CellNumber; readonly words: readonly Word[] }[] {
  const amounts: { number: CellNumber; words: readonly Word[] }[] = [];
  for (const line of row.slice(1).toReversed()) {
    const number = numberOf(line.words, locale);
    if (number?.decimals !== 2 || number.percent) break;
    amounts.unshift({ number, words: line.words });
  }
  return amounts;
}

/** Whether a row stands apart from the one above it, as titles do and further lines of a description do not. */
function isApart(rows: readonly BodyRow[], at: number): boolean {
  const [row, before] = [rows[at]!, rows[at - 1]];
  return !before || before.page !== row.page || row.top - before.bottom > 0.8 * (row.bottom - row.top);
}

function addText(pieces: Piece[], row: BodyRow, words: readonly Word[]): void {
  if (words.length > 0) pieces.push({ page: row.page, words });
}

/** A number with the sign that the statement's mark gives it: `S`, `D`, `DR`, `Af` are out, `H`, `C`, `CR`, `Bij` in. */
function signOf(number: CellNumber, words: readonly Word[], role: string, side: Side): CellNumber {
  const text = textOf(words);
  const size = Math.abs(number.value);
  if (role === 'debit' || role === 'credit') return { ...number, value: size };
  if (/(?<!\p{L})(?:[Cc][Rr]|C|H|Bij)\.?$/u.test(text)) return { ...number, value: size, rest: '+' };
  if (/(?<!\p{L})(?:[Dd][Rr]|D|S|Af)\.?$/u.test(text)) return { ...number, value: -size, rest: '-' };
  if (/^\s*\+|\+\s*$/.test(text)) return { ...number, value: size, rest: '+' };
  if (/[-–−]\s*$/.test(text)) return { ...number, value: -size, rest: '-' };
  if (number.value < 0) return { ...number, rest: '-' };
  // What a part of the statement lists moved; balances stand beside it.
  if (side === 'either' || role === 'balance') return { ...number, rest: '' };
  return { ...number, value: side === 'in' ? size : -size, rest: side === 'in' ? '+' : '-' };
}

function readDate(words: readonly Word[], page: number, locale: Locale, latest: string | null): CellDate | null {
  if (words.length === 0) return null;
  const full = dateOf(words, locale);
  if (full) return { ...full, piece: { page, words } };
  const partial = partialDate(textOf(words), locale.dateOrder);
  if (!partial || latest === null) return null;
  // The year is that of the latest date in the document, or the one before where that would lie after it.
  const year = Number(latest.slice(0, 4));
  const value = [year, year - 1]
    .flatMap((each) => isoDate(each, partial.month, partial.day) ?? [])
    .find((day) => day <= latest);
  return value === undefined ? null : { value, ambiguous: false, piece: { page, words } };
}

/** The latest date with a whole year in the document, or else of two digits, as a sort code may look like; null where there is none. */
function latestDate(rows: readonly Row[], locale: Locale): string | null {
  const latest: Partial<Record<2 | 4, string>> = {};
  for (const row of rows) {
    for (const line of row) {
      if (!/\d/.test(line.text)) continue;
      for (const finding of findDates(line.text)) {
        const { value } = resolveDate(finding, locale);
        const known = latest[finding.yearDigits];
        if (known === undefined || value > known) latest[finding.yearDigits] = value;
      }
    }
  }
  return latest[4] ?? latest[2] ?? null;
}

/** The signed amount of each transaction, proven or corrected by the balances where there are any. */
function movementsOf(transactions: readonly Transaction[], opening: number | null): Movement[] {
  const balanceOf = (at: number) => transactions[at]?.numbers.get('balance')?.number.value ?? null;
  const plain = transactions.map((transaction) => {
    const debit = transaction.numbers.get('debit')?.number.value;
    const credit = transaction.numbers.get('credit')?.number.value;
    if (debit !== undefined || credit !== undefined) return { value: (credit ?? 0) - (debit ?? 0), certain: true };
    const signed = transaction.numbers.get('signed')?.number;
    return signed ? { value: signed.value, certain: signed.rest !== '' } : null;
  });
  // Statements run forwards, or the newest comes first: whichever more balances agree with.
  const before = (at: number, step: 1 | -1) => (step === 1 && at === 0 ? opening : balanceOf(at - step));
  const agreeing = (step: 1 | -1) =>
    plain.filter((movement, at) => {
      const [from, to] = [before(at, step), balanceOf(at)];
      return movement && from !== null && to !== null && agree(from + movement.value, to);
    }).length;
  const step = agreeing(-1) > agreeing(1) ? -1 : 1;
  return plain.map((movement, at): Movement => {
    if (!movement) return { amount: null, flags: [] };
    const [from, to] = [before(at, step), balanceOf(at)];
    if (from === null || to === null) return { amount: movement.value, flags: [] };
    if (Math.abs(from + movement.value - to) < 0.011) return { amount: movement.value, flags: ['arithmetic_holds'] };
    if (Math.abs(from - movement.value - to) < 0.011) {
      return {
        amount: -movement.value,
        flags: movement.certain ? ['arithmetic_holds', 'corrected'] : ['arithmetic_holds'],
      };
    }
    return { amount: movement.value, flags: ['arithmetic_fails'] };
  });
}

/** Whether two of the printed balances differ by the sum of all movements. */
function provesSums(movements: readonly Movement[], balances: readonly number[]): boolean {
  const total = movements.reduce((sum, movement) => sum + (movement.amount ?? 0), 0);
  return (
    movements.length > 0 &&
    balances
      .slice(0, 20)
      .some((from) => balances.slice(0, 20).some((to) => from !== to && Math.abs(to - from - total) < 0.011))
  );
}

function rowOf(transaction: Transaction, movement: Movement, proven: boolean): ExtractedRow {
  const row: Record<string, ExtractedValue> = {};
  const { date, valueDate, numbers } = transaction;
  const dateValue = (of: CellDate) =>
    extractedValue(of.value, [of.piece], of.ambiguous ? 75 : 89, of.ambiguous ? ['ambiguous_date'] : []);
  if (date) row.date = dateValue(date);
  if (valueDate) row.value_date = dateValue(valueDate);
  const description = transaction.description.map((piece) => textOf(piece.words)).join(' ');
  if (description) row.description = extractedValue(description, transaction.description, 85);
  const reference = transaction.reference.map((piece) => textOf(piece.words)).join(' ');
  if (reference) row.reference = extractedValue(reference, transaction.reference, 85);
  const holds = movement.flags.includes('arithmetic_holds');
  const confidence = holds ? 98 : movement.flags.includes('arithmetic_fails') ? 60 : proven ? 96 : 84;
  const flags: readonly ValueFlag[] = proven && movement.flags.length === 0 ? ['arithmetic_holds'] : movement.flags;
  const moved = numbers.get('debit') ?? numbers.get('credit') ?? numbers.get('signed');
  if (moved && movement.amount !== null) {
    const side = movement.amount < 0 ? 'debit' : 'credit';
    row[side] = extractedValue(Math.abs(movement.amount), [moved.piece], confidence, flags);
  }
  const balance = numbers.get('balance');
  if (balance)
    row.balance = extractedValue(
      balance.number.value,
      [balance.piece],
      holds ? 98 : movement.flags.length === 0 ? 88 : 65,
      flags,
    );
  return row;
}
