import type { TypeRules } from '../../compose/compose.ts';
import { composePaymentTerms } from '../../compose/payment-terms.ts';

/** How a sentence about the way in which a credit is paid out begins. */
const payout =
  /(?<!\p{L})(?:(?:the|this|your) (?:amount|credit|balance|refund|sum)(?: of .{1,30})? (?:is|will be|has been) (?:transferred|paid|refunded|credited|returned|offset|applied|deducted)|we (?:will )?(?:transfer|refund|credit) (?:the|this|your)|(?:der (?:gutschrifts?)?betrag|das guthaben|die gutschrift) (?:wird|haben wir|werden wir) |(?:le montant|la somme|l['’]avoir) (?:est|sera|a été) |(?:el importe|la cantidad) (?:se|será) |(?:l['’]importo|la somma) (?:viene|sarà|verrà) )/iu;

export const creditNoteRules: TypeRules = { compose: (findings) => composePaymentTerms(findings, payout) };
