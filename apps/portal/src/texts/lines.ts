/** What a line of an invoice or a preview says it is for. */
export interface PricedLine {
  readonly kind: 'recurring' | 'setup' | 'usage' | 'minimum' | 'maximum' | 'late';
  readonly charge: string | null;
  readonly tier: { readonly from: string; readonly upTo: string | null } | null;
  readonly isFlatFee: boolean;
}
