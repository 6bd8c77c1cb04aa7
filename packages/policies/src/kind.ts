import type * as z from 'zod';

/** Where a policy runs: before the target is called, or after it has responded. */
export type PolicyFlow = 'request' | 'response';

/** What a change of policies means to callers. */
export interface PolicyImpact {
  /** Whether a caller that worked before may now fail. */
  readonly breaking: boolean;
  readonly reason: string;
}

/** A kind of policy: where it may run and how it is configured. */
export interface PolicyKind {
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly flows: readonly PolicyFlow[];
  /** Its place on each of its flows: a lower rank stands before a higher one, equal ranks in any order. */
  readonly rank: Readonly<Partial<Record<PolicyFlow, number>>>;
  /** Maximum number per flow; null: no limit. */
  readonly maxPerFlow: number | null;
  /** Strict: an unknown field is rejected. Every field has a description and bounds. */
  readonly configuration: z.ZodObject;
  /** The editor's initial configuration, complete except for what only the operator knows. */
  readonly defaultConfiguration: Readonly<Record<string, unknown>>;
  readonly example: Readonly<Record<string, unknown>>;
  /** Fields whose written-out values neither documents nor audit rows show: dotted paths, `*` for every item of a list. */
  readonly secretFields: readonly string[];
  /** What callers notice when one is attached, detached or reconfigured. */
  readonly impact: {
    readonly added: PolicyImpact;
    readonly removed: PolicyImpact;
    /** Compares two complete configurations; why a caller that worked before may now fail, or null. */
    changed(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string | null;
  };
}
