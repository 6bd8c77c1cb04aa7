import type { TextLine } from '@millrace/document-model';
import { findNumbers, type NumberFinding } from './amount.ts';
import { findIbans } from './bank.ts';
import { captionPrefixEnd } from './caption-prefix.ts';
import type { TextFinding } from './contact.ts';
import { findCountries } from './country.ts';
import { type CurrencyFinding, findCurrencies } from './currency.ts';
import { type DateFinding, findDates } from './date.ts';
import { type Span, spansOf } from './spans.ts';
import { findTaxIds } from './tax-id.ts';

/** What the recognisers found in a line so far. */
interface Findings {
  numbers?: readonly NumberFinding[];
  dates?: readonly DateFinding[];
  currencies?: readonly CurrencyFinding[];
  countries?: readonly TextFinding[];
  ibans?: readonly TextFinding[];
  taxIds?: readonly TextFinding[];
  spans?: readonly Span[];
}

const findingsOfLines = new WeakMap<TextLine, Findings>();

/** One record of a line for all recognisers: an entry of its own in a weak map for each costs as much as some of them do. */
function findingsOf(line: TextLine): Findings {
  let findings = findingsOfLines.get(line);
  if (!findings) {
    findings = {};
    findingsOfLines.set(line, findings);
  }
  return findings;
}

// What several stages look at, the locale's decision, the candidates and the rows, is worked out once for each line.

export function numbersIn(line: TextLine): readonly NumberFinding[] {
  const findings = findingsOf(line);
  findings.numbers ??= findNumbers(line.text);
  return findings.numbers;
}

export function datesIn(line: TextLine): readonly DateFinding[] {
  const findings = findingsOf(line);
  findings.dates ??= findDates(line.text);
  return findings.dates;
}

export function currenciesIn(line: TextLine): readonly CurrencyFinding[] {
  const findings = findingsOf(line);
  findings.currencies ??= findCurrencies(line.text);
  return findings.currencies;
}

export function countriesIn(line: TextLine): readonly TextFinding[] {
  const findings = findingsOf(line);
  findings.countries ??= findCountries(line.text);
  return findings.countries;
}

export function ibansIn(line: TextLine): readonly TextFinding[] {
  const findings = findingsOf(line);
  findings.ibans ??= findIbans(line.text);
  return findings.ibans;
}

export function taxIdsIn(line: TextLine): readonly TextFinding[] {
  const findings = findingsOf(line);
  findings.taxIds ??= findTaxIds(line.text);
  return findings.taxIds;
}

/** The line's spans, with what stands behind its caption. */
export function spansIn(line: TextLine): readonly Span[] {
  const findings = findingsOf(line);
  findings.spans ??= spansOf(line.text, captionPrefixEnd(line.words));
  return findings.spans;
}
