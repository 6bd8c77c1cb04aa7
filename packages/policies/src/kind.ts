import type * as z from 'zod';

/** Where a policy stands: before the target is asked, or after it has answered. */
export type PolicyFlow = 'request' | 'response';

/** What a change of policies means to callers. */
export interface PolicyImpact {
  /** Whether a caller that was right before may fail now. */
  readonly breaking: boolean;
  readonly reason: string;
}

/** A kind of policy: where it may stand and what it is configured with. */
export interface PolicyKind {
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly flows: readonly PolicyFlow[];
  /** Its place on each of its flows: a lower rank stands before a higher one, equal ranks in any order. */
  readonly rank: Readonly<Partial<Record<PolicyFlow, number>>>;
  /** How many of it one flow may hold; null: any number. */
  readonly maxPerFlow: number | null;
  /** Strict: an unknown field is refused. Every field has a description and bounds. */
  readonly configuration: z.ZodObject;
  /** What the editor starts with. Whole, except for what only the operator can know. */
  readonly defaultConfiguration: Readonly<Record<string, unknown>>;
  readonly example: Readonly<Record<string, unknown>>;
  /** Fields whose written-out values neither documents nor audit rows show: dotted paths, `*` for every item of a list. */
  readonly secretFields: readonly string[];
  /** What callers notice when one is attached, detached, or configured anew. */
  readonly impact: {
    readonly added: PolicyImpact;
    readonly removed: PolicyImpact;
    /** Takes two whole configurations; why a caller that was right before may fail now, or null. */
    changed(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string | null;
  };
}
