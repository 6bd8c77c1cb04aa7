import type { Labels } from '@millrace/alerting';
import type { IncidentRule } from './contract.ts';

/** A rule's alert as an evaluation left it. */
export interface EvaluatedAlert {
  /** The same for the same rule and labels. */
  readonly fingerprint: string;
  /** With `proxyId` and `proxy`, where it is of an API proxy. */
  readonly labels: Labels;
  readonly state: 'firing' | 'resolved';
  /** In the metric's unit; null: nothing was reported. */
  readonly value: number | null;
  readonly threshold: number;
  /** When it began to fire: the same at every evaluation until it resolves, so that a later one counts as a new crossing. */
  readonly since: Date;
  /** The silence in force that matches it. */
  readonly suppressedBy: string | null;
  /** Fingerprint of the firing alert that makes its notification needless. */
  readonly inhibitedBy: string | null;
}

/** The alerts of one rule in one environment, at one evaluation. */
export interface EvaluatedGroup {
  readonly rule: IncidentRule;
  readonly group: {
    /** Null: what the rule watches belongs to no environment. */
    readonly environmentId: string | null;
  };
  /** Every alert of the group that fires, and those that resolved since; one that is missing is left as it was. */
  readonly alerts: readonly EvaluatedAlert[];
  /** The moment that was evaluated. */
  readonly now: Date;
}
