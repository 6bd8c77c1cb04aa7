/** Why calls are not billed. */
export const notBillableReasons = ['refused', 'prepaid', 'trial', 'status', 'api', 'no_charge'] as const;
export type NotBillableReason = (typeof notBillableReasons)[number];

/** Calls that are not billed, by the reason. */
export type NotBillable = Readonly<Partial<Record<NotBillableReason, number>>>;
