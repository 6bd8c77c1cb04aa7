import type { Layout } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import type { KnownSender } from './lesson.ts';
import { likeness, placedHashes, plain } from './likeness.ts';

/** A known sender that a document is of. */
export interface Recognition {
  readonly sender: KnownSender;
  /** Beyond doubt, so that what is the sender's own may be taken from its earlier documents. */
  readonly certain: boolean;
}

/**
 * How alike a document must be to a sender's earlier ones, by what else speaks for that sender. A number or name alone
 * is none: whoever sends invoices gets some too, with the same numbers on them as the customer's.
 */
const least = { withNumber: 0.2, withName: 0.25, certainWithName: 0.45, alone: 0.6 };

/** Finds the known sender of a document of a type by its tax number or IBAN, its name, and what its documents look like. */
export function recogniseSender(
  docType: string,
  layout: Layout,
  candidates: readonly PlacedCandidate[],
  senders: readonly KnownSender[],
): Recognition | null {
  const known = senders.filter((sender) => sender.docType === docType && sender.lessons.length > 0);
  if (known.length === 0) return null;
  const hashes = placedHashes(layout);
  const numbers = new Set(
    candidates.flatMap(({ kind, value }) => (kind === 'tax_id' || kind === 'iban' ? [plain(String(value))] : [])),
  );
  const lines = layout.lines.slice(0, 300).map(({ text }) => plain(text));
  let best: { recognition: Recognition; worth: number } | null = null;
  for (const sender of known) {
    const alike = likeness(sender.lessons, hashes);
    const hasNumber = sender.lessons.some(({ taxIds, ibans }) =>
      [...taxIds, ...ibans].some((each) => numbers.has(each)),
    );
    const name = plain(sender.name);
    const isByLayout = sender.lessons.some(({ byLayout }) => byLayout);
    const hasName = !isByLayout && name.length >= 4 && lines.some((line) => line.includes(name));
    const isSender =
      (hasNumber && alike >= least.withNumber) || (hasName && alike >= least.withName) || alike >= least.alone;
    if (!isSender) continue;
    const certain = hasNumber || (hasName && alike >= least.certainWithName);
    const worth = alike + (hasNumber ? 1 : 0) + (hasName ? 0.5 : 0);
    if (!best || worth > best.worth) best = { recognition: { sender, certain }, worth };
  }
  return best?.recognition ?? null;
}
