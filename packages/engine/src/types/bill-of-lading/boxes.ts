import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import { isHeading } from '../../candidates/headings.ts';
import type { ComposedFields } from '../../compose/compose.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';

/** What forms print in the corner of a field's box, in lower case without blanks, numbers and notes in parentheses. */
const captions: Readonly<Record<string, RegExp>> = {
  bl_number: /^(?:original)?(?:b\/l|bl|billoflading|(?:sea)?waybill)(?:no|number|nr)$/,
  shipper:
    /^(?:shipper|exporter|consignor|sender|absender|expediteur|mittente|remitente|expedidor|afzender)(?:\/(?:shipper|exporter|consignor|sender|absender|expediteur|mittente|remitente|afzender))*$/,
  consignee:
    /^(?:consignee|consignedto(?:orderof)?|empfanger|destinataire|destinatario|consignatario|geadresseerde)(?:\/(?:consignee|empfanger|destinataire|destinatario|consignatario|geadresseerde))*$/,
  notify_party: /^notify(?:part(?:y|ies)|address)(?:\/(?:intermediate)?consignee)?$/,
  port_of_loading:
    /^(?:portofloading|loadingport|airportofdeparture)(?:\/export)?$|takingover(?:of)?(?:the)?goods|ubernahmedesgutes|prise(?:encharge|$)|cargadelamercancia|presaincarico|inontvangst|cargadamercadoria/,
  port_of_discharge:
    /^(?:(?:foreign)?portof(?:discharge|unloading)|airportofdestination)$|^place(?:of|designatedfor)(?:the)?deliveryof(?:the)?goods|auslieferungsort|livraisondela|entregadelamercancia|consegnadellamerce|afleveringderg|entregadamercadoria/,
  vessel: /^(?:oceanvessel|vessel|vesselname|exportingcarrier)$/,
};

const lineLimit = 500;
const longestCaption = 130;

/**
 * What stands right below the caption of a field's box, at its left edge, in forms that number their boxes and add notes
 * to their captions: `4. NOTIFY PARTY/INTERMEDIATE CONSIGNEE (Name and address)`.
 */
export function fieldsInBoxes(layout: Layout): ComposedFields {
  const fields: Record<string, ExtractedValue> = {};
  for (const line of layout.lines.slice(0, lineLimit)) {
    const caption = line.text.length > longestCaption ? '' : bareCaption(line.text);
    const name = Object.keys(captions).find((each) => captions[each]!.test(caption));
    const below = name === undefined || fields[name] ? null : valueBelow(line, captions[name]!, layout);
    if (name === undefined || !below) continue;
    const parts = partsFrom(below, line, layout);
    const isPlace = name.startsWith('port_');
    const stretches = isPlace ? withoutDay(parts) : parts.map((line): Stretch => ({ line }));
    const country = isPlace ? countryBelow(below, layout) : null;
    const place = stretches.map((stretch) => stretch.line.text.slice(stretch.start, stretch.end)).join(' ');
    const text = country ? `${place}, ${country.line.text.slice(country.start)}` : place;
    if (text === '' || (name === 'bl_number' && !/\d{3}/.test(text))) continue;
    const value = composedValue(text, 89.5, country ? [...stretches, country] : stretches);
    Object.assign(fields, name === 'vessel' && parts.length === 1 ? vesselFields(below) : { [name]: value });
  }
  return fields;
}

const closingDay = /[,\s]*(?:(?:den|le|el|il|lì|op|on|em) )?\d{1,2}[./-]\d{1,2}[./-](?:\d{2}){1,2}$/iu;

/** The place at which goods were taken over, whose day stands in the same box: `Lohne, Deutschland  12.11.2024`. */
function withoutDay(parts: readonly TextLine[]): Stretch[] {
  return parts.flatMap((line) => {
    const end = closingDay.exec(line.text)?.index ?? line.text.length;
    const start = innerCaption.exec(line.text)?.[0].length ?? 0;
    return end > start ? [{ line, start, end }] : [];
  });
}

/** Captions within the box of a place: `Ort / Lieu  Reims`, and below it `Land / Pays  Frankreich`. */
const innerCaption = /^(?:ort|lieu|place|lugar|luogo|plaats)(?: ?\/ ?(?:ort|lieu|place))?(?: ?: ?| )(?=\p{Lu})/iu;
const innerCountry = /^(?:land|pays|country|pa[ií]s|paese)(?: ?\/ ?(?:land|pays|country))?(?: ?: ?| )(?=\p{Lu})/iu;

/** The country on the line below a place that has its own caption; null where the place has none. */
function countryBelow(place: TextLine, layout: Layout): Required<Stretch> | null {
  const { below } = neighboursOf(layout, place);
  const caption = innerCaption.test(place.text) ? innerCountry.exec(below?.text ?? '')?.[0] : undefined;
  return below && caption !== undefined ? { line: below, start: caption.length, end: below.text.length } : null;
}

/** What a form says behind a caption's colon of how the box is to be filled in, and lines on which that goes on. */
const note = /:\s*(?:this (?:b\/l|bill)|\(?not negotiable|if )/iu;
const noteGoesOn = /^["“”]?(?:\p{Ll}|\.{2,}|…|To Order)[^,:]{0,60}[.)]$/u;

function bareCaption(text: string): string {
  const bare = text
    .replace(/^\(?\d{1,2}[a-z]?(?:[.)] ?| )/iu, '')
    .replace(/\(.*$/u, '')
    .replace(new RegExp(`${note.source}.*$`, 'iu'), '')
    .replace(/(?:['’]s)? (?:(?:insert|complete|full) )?names?,? (?:(?:and|&) )?address.*$/iu, '');
  return /\d/.test(bare) ? '' : foldText(bare).replace(/[^a-z/]/g, '');
}

/** A caption with the number of its box. */
const numberedCaption = /^\(?\d{1,2}[a-z]?\. ?\p{Lu}{2}/u;

/**
 * The last line of a caption that goes on below it: with its note in brackets (`Consignee (negotiable only if / "to order")`),
 * with its last words, or with the same in another language.
 */
function endOf(caption: TextLine, pattern: RegExp, layout: Layout): TextLine {
  let open = depthOf(caption.text);
  let line = caption;
  let end = caption;
  for (let step = 0; step < noteLines; step += 1) {
    const { below } = neighboursOf(layout, line);
    if (!below) break;
    const isNear = below.box.y0 - line.box.y1 < line.box.y1 - line.box.y0;
    const goesOn = isNear && (/^\p{Ll}{2}[^\d@]*$/u.test(below.text) || pattern.test(bareCaption(below.text)));
    if (open <= 0 && !goesOn) break;
    open += depthOf(below.text);
    line = below;
    if (open <= 0) end = line;
  }
  return end;
}

const noteLines = 3;

function depthOf(text: string): number {
  let depth = 0;
  for (const letter of text) depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
  return depth;
}

function valueBelow(firstLine: TextLine, pattern: RegExp, layout: Layout): TextLine | null {
  const caption = endOf(firstLine, pattern, layout);
  const next = neighboursOf(layout, caption).below;
  const end = next && noteGoesOn.test(next.text) ? next : caption;
  const nearest = end === caption ? next : neighboursOf(layout, end).below;
  if (!nearest) return null;
  const height = Math.max(caption.box.y1 - caption.box.y0, nearest.box.y1 - nearest.box.y0);
  const isAligned = ({ box }: TextLine) => Math.abs(box.x0 - caption.box.x0) < height;
  // Its words may stand so far apart that the nearest is not the first of them.
  const below = isAligned(nearest) ? nearest : rowOf(layout, nearest).find(isAligned);
  if (!below) return null;
  const isNear = below.box.y0 - end.box.y1 < 2 * height;
  const isCaption =
    numberedCaption.test(below.text) ||
    /^\p{L}[\p{L} ./]{1,20}:/u.test(below.text) ||
    isAddressCaption(below.text) ||
    (isHeading(below.text) && !/^to (?:the )?order(?!\p{L})/iu.test(below.text));
  return isNear && !isCaption ? below : null;
}

/** What forms print before the lines of an address that is filled in line by line. */
const addressCaption =
  /^(?:name|street(?: address| name)?|(?:mailing )?address|add\.|city(?:[ ,/&]+(?:state|province)(?:[ ,/&]+(?:zip|postal)(?: code)?)?)?|state|province|zip(?: code)?|postal code|country|county|destination|origin|attn\.?|attention|contact|(?:tele)?phone(?: no\.?)?|tel\.?|fax|e-?mail|route)[:.]?$/iu;

/** Whether a text is the caption of a line of an address, and nobody's name. */
export function isAddressCaption(text: string): boolean {
  return addressCaption.test(text.trim());
}

/** How far apart the parts of one value stand, in heights of its caption. */
const partGap = 1.6;

/** A value's first line and those that go on right beside it within the box. */
function partsFrom(first: TextLine, caption: TextLine, layout: Layout): readonly TextLine[] {
  const parts = [first];
  const row = rowOf(layout, first);
  const height = caption.box.y1 - caption.box.y0;
  const end = (neighboursOf(layout, caption).right?.box.x0 ?? Infinity) - height;
  for (const line of row.slice(row.indexOf(first) + 1)) {
    if (line.box.x0 - parts.at(-1)!.box.x1 > partGap * height || line.box.x0 > end) break;
    parts.push(line);
  }
  return parts;
}

const shipWithVoyage =
  /^((?:M\/?V\.? |M\.V\. )?\p{Lu}[\p{L} .'-]*?\p{L}\.?)[\s,/-]+(?:v(?:oy)?(?:age)?\b\.?\s*(?:no\.?\s*)?)?(\p{Lu}{0,3}\.?\d[\p{L}\d.-]{0,9})$/iu;

/** A vessel, and its voyage where both share a box: `M/V NORTH STAR V.142W`. */
export function vesselFields(line: TextLine, offset = 0): ComposedFields {
  const text = line.text.slice(offset);
  const [, vessel, voyage] = shipWithVoyage.exec(text) ?? [];
  if (vessel === undefined || voyage === undefined) {
    return /\d|:/.test(text)
      ? {}
      : { vessel: composedValue(text, 84, [{ line, start: offset, end: line.text.length }]) };
  }
  return {
    vessel: composedValue(vessel, 89.5, [{ line, start: offset, end: offset + vessel.length }]),
    voyage: composedValue(voyage, 89.5, [{ line, start: line.text.length - voyage.length, end: line.text.length }]),
  };
}
