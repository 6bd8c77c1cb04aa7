import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { isHeading } from '../candidates/headings.ts';
import { isOnLine } from '../layout/geometry.ts';
import { rowOf } from '../layout/neighbours.ts';
import type { ComposedFields } from './compose.ts';
import { nationalityAdjectives } from './issuing-country.ts';
import { composedValue } from './value.ts';

/** Below what a caption says, and enough where the order of a passport's items says it alone. */
const confidence = 62;

/** The countries in whose passports something else stands beside the sex: a registered domicile, the nationality. */
const otherOrders = /^P.(?:JPN|CHN|KOR|TWN)/;

/** One of the letters for the sex, perhaps in two languages. */
const sexAlone = /^(?:[MFKV]|[MFKVHDWŽ]\s?\/\s?[MFKVHDWŽ])$/u;
/** Values are set in capitals, captions are not. */
const inCapitals = /^\p{Lu}[\p{Lu} .,'’()/-]{2,40}$/u;

/**
 * The place of birth and the authority of a passport whose captions, in its smallest print, were not read: they stand in
 * one row with the sex and with the day of issue, by the order of items that all states follow (ICAO Doc 9303, part 4).
 * Only where the check digits of the machine-readable zone hold.
 */
export function valuesInPassportRows(layout: Layout, fields: ComposedFields): ComposedFields {
  const { mrz, issue_date: issued } = fields;
  if (!mrz?.flags.includes('check_digit_holds') || otherOrders.test(String(mrz.value))) return {};
  const found: Record<string, ExtractedValue> = {};
  const put = (name: string, line: TextLine | undefined) => {
    if (line && !fields[name]) found[name] = composedValue(line.text.trim(), confidence, [{ line }]);
  };
  const [sex, ...more] = layout.lines.filter(({ text }) => sexAlone.test(text.trim()));
  if (sex && more.length === 0) put('place_of_birth', besideIn(layout, sex));
  const day = issued && layout.lines.find((line) => issued.provenance.some((place) => isOnLine(place, line)));
  if (day) put('issuing_authority', besideIn(layout, day));
  return found;
}

/** The only words in capitals right of a value in its row. */
function besideIn(layout: Layout, value: TextLine): TextLine | undefined {
  const behind = rowOf(layout, value).filter(({ box }) => box.x0 > value.box.x1);
  const [first] = behind;
  const text = first?.text.trim() ?? '';
  const isNationality = nationalityAdjectives[foldText(text).replaceAll(' ', '')] !== undefined;
  return inCapitals.test(text) && !isNationality && !isHeading(text) ? first : undefined;
}
