import type { Box, ExtractedValue } from '@millrace/document-model';

type Fields = Readonly<Record<string, ExtractedValue>>;

/**
 * The fields without an address of the recipient that stands right below the payer's name: where the recipient's own box
 * was not read, what stands in the payer's looks like it.
 */
export function withoutPayersAddress(fields: Fields): Record<string, ExtractedValue> {
  const { recipient_address: address, ...others } = fields;
  if (!address) return { ...fields };
  return standsBelow(address, fields.payer_name) && !standsBelow(address, fields.recipient_name)
    ? others
    : { ...fields };
}

/** Lines' heights between a name and its address, and between their left edges. */
const widestGap = 1.5;

function standsBelow(address: ExtractedValue, name: ExtractedValue | undefined): boolean {
  const [first] = address.provenance;
  const last = name?.provenance.at(-1);
  if (!first || !last || first.page !== last.page) return false;
  const limit = widestGap * Math.max(heightOf(first.box), heightOf(last.box));
  const gap = first.box.y0 - last.box.y1;
  return gap > -0.5 * limit && gap < limit && Math.abs(first.box.x0 - last.box.x0) < limit;
}

function heightOf({ y0, y1 }: Box): number {
  return y1 - y0;
}
