import {
  type CreditParts,
  type CreditRequest,
  CreditTooLarge,
  creditParts,
  formatMinor,
  PricingError,
} from '@millrace/pricing';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Invoice } from '../invoices/contract.ts';
import type { CreditNote } from './contract.ts';

/** What is credited, as a call asks for it. */
export type AskedCredit =
  | { readonly scope: 'rest' }
  | { readonly scope: 'amount'; readonly totalMinor: number }
  | { readonly scope: 'lines'; readonly lines: readonly { readonly position: number; readonly amountMinor: number }[] };

/** Rejects crediting an invoice that nobody owes. */
export function refuseCredit({ state }: Pick<Invoice, 'state'>): void {
  if (state === 'draft') throw new ApiError('conflict', { message: 'The invoice is a draft. Void it instead.' });
  if (state === 'void')
    throw new ApiError('conflict', { message: 'The invoice is void, so there is nothing to credit.' });
}

/**
 * The parts of a credit note.
 *
 * @param invoice its lines in the order of their positions, and what has been credited so far
 * @throws ApiError `invalid_request` for more than is left, or a line that the invoice lacks
 */
export function partsOf(
  credit: AskedCredit,
  { currency, ...invoice }: Pick<CreditRequest, 'lines' | 'taxes'> & Pick<Invoice, 'currency'>,
): CreditParts {
  try {
    return creditParts({ ...invoice, credit: requestOf(credit) });
  } catch (error) {
    if (error instanceof CreditTooLarge) {
      throw fieldError(
        'credit',
        `${formatMinor(error.leftMinor, currency, 'en')} is left to credit. Credit that or less.`,
      );
    }
    if (error instanceof PricingError) throw fieldError('credit', error.message);
    throw error;
  }
}

function requestOf(credit: AskedCredit): CreditRequest['credit'] {
  if (credit.scope === 'rest') return 'rest';
  if (credit.scope === 'amount') return { grossMinor: credit.totalMinor };
  return { lines: credit.lines.map(({ position, amountMinor }) => ({ index: position - 1, amountMinor })) };
}

/** Rejects a decision on a credit note that waits for none. */
export function refuseDecision({ state }: Pick<CreditNote, 'state'>): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', { message: `The credit note is ${state} already.` });
}

/** Rejects the document of a credit note without a number. */
export function refuseUnissued({ state }: Pick<CreditNote, 'state'>): void {
  if (state === 'issued') return;
  throw new ApiError('conflict', { message: `The credit note is ${state} and has no document.` });
}
