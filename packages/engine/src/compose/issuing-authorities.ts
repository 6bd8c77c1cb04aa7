import type { ExtractedValue, Layout } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { isAtHead } from './issuing-country.ts';
import { composedValue } from './value.ts';

/**
 * Offices that print their names at the head of the cards that they issue, without a caption, folded. They stand in a line
 * of their own, which has nothing else.
 */
const offices: ReadonlySet<string> = new Set([
  // India
  'income tax department',
  'unique identification authority of india',
  'election commission of india',
  // Mexico and South America
  'instituto nacional electoral',
  'instituto federal electoral',
  'registro nacional de las personas',
  'registro nacional de identificacion y estado civil',
  'servicio de registro civil e identificacion',
  'registraduria nacional del estado civil',
  'direccion nacional de identificacion civil',
  'direccion general de registro civil, identificacion y cedulacion',
  'direccion general de registro civil identificacion y cedulacion',
  'servicio general de identificacion personal',
  'tribunal supremo de elecciones',
  'tribunal electoral',
  'junta central electoral',
  'registro nacional de las personas renap',
  // the Philippines, Malaysia, Pakistan
  'land transportation office',
  'philippine statistics authority',
  'jabatan pendaftaran negara',
  'jabatan pengangkutan jalan',
  'national database and registration authority',
  // Africa
  'department of home affairs',
  'national identity management commission',
  'federal road safety corps',
  'national transport and safety authority',
  'driver and vehicle licensing authority',
  // the Gulf
  'ministry of interior',
  'ministry of the interior',
]);

/** The office whose name is a line of a card's head; null where there is none, or several. */
export function officeAtHead(layout: Layout, lines: number): ExtractedValue | null {
  const found = layout.lines.flatMap((line, at) => {
    const isOffice = (at < lines || isAtHead(line, layout)) && offices.has(foldText(line.text.trim()));
    return isOffice ? [composedValue(line.text.trim(), 80, [{ line }])] : [];
  });
  return found.length === 1 ? found[0]! : null;
}
