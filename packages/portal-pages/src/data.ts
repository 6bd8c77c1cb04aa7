import type { Palette } from '@millrace/portal-theme';
import type { Charge } from '@millrace/pricing';
import type { Language } from './texts/texts.ts';

/** What the pages show: the data of the portal's public operations. */

export interface Portal {
  readonly organization: string;
  readonly organizationName: string;
  readonly title: string;
  readonly registration: 'open' | 'approval' | 'closed';
  readonly languages: readonly Language[];
  readonly defaultLanguage: Language;
  readonly texts: Readonly<
    Record<Language, { readonly headline: string; readonly introduction: string; readonly footer: string }>
  >;
  readonly theme: { readonly light: Palette; readonly dark: Palette };
  readonly legal: { readonly terms: string | null; readonly privacy: string | null; readonly imprint: string | null };
  /** SHA-256 of each logo. */
  readonly logo: { readonly light: string | null; readonly dark: string | null };
  /** Changes whenever something that public pages show has changed. */
  readonly stamp: string;
}

export type PlanType = 'pay_as_you_go' | 'flat' | 'tiered' | 'prepaid';
export type PeriodUnit = 'week' | 'month' | 'quarter';

export interface CatalogProduct {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly public: boolean;
  readonly sandbox: boolean;
  readonly tags: readonly string[];
  readonly apis: readonly { readonly name: string; readonly displayName: string; readonly version: string | null }[];
  readonly plans: readonly {
    readonly displayName: string;
    readonly type: PlanType;
    readonly currency: string;
    readonly recurringFee: string | null;
  }[];
  readonly updatedAt: string;
}

export interface Catalog {
  readonly products: readonly CatalogProduct[];
  readonly total: number;
  readonly tags: readonly { readonly tag: string; readonly products: number }[];
}

export interface CatalogApi {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly basePath: string;
  readonly authentication: 'none' | 'api_key' | 'jwt';
  readonly deprecated: boolean;
  readonly version: string | null;
}

export interface CatalogOperation {
  readonly id: string;
  readonly api: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
}

export interface OperationGroup {
  /** Empty for operations without one. */
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly CatalogOperation[];
}

/** A published rate plan; prices are decimals in major units of the currency. */
export interface PricingCard {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly type: PlanType;
  readonly currency: string;
  readonly recurringFee: string | null;
  readonly feeTiming: 'advance' | 'arrears';
  readonly proration: 'second' | 'day' | 'none';
  readonly setupFee: string | null;
  readonly minimumSpend: string | null;
  readonly maximumSpend: string | null;
  readonly trialDays: number;
  readonly creditExpiry: { readonly count: number; readonly unit: 'day' | 'month' } | null;
  readonly charges: readonly Charge[];
}

export interface GatewayServer {
  readonly environment: string;
  readonly displayName: string;
  readonly production: boolean;
  readonly url: string;
}

export interface QuotaLimit {
  readonly limit: number;
  readonly window: { readonly unit: 'minute' | 'hour' | 'day' | 'month'; readonly count: number };
}

export interface GuideLink {
  readonly slug: string;
  readonly language: Language;
  readonly title: string;
  readonly summary: string;
}

export interface ProductPageData extends Omit<CatalogProduct, 'apis' | 'plans'> {
  readonly id: string;
  readonly autoApprove: boolean;
  readonly apis: readonly CatalogApi[];
  readonly quota: QuotaLimit | null;
  readonly plans: readonly PricingCard[];
  readonly billingPeriod: PeriodUnit;
  readonly servers: readonly GatewayServer[];
  readonly operations: readonly OperationGroup[];
  readonly guides: readonly GuideLink[];
  readonly changes: readonly PortalChange[];
}

/** A JSON schema with its references resolved. */
export interface Schema {
  readonly name: string | null;
  readonly type: string;
  readonly format: string | null;
  readonly description: string;
  readonly deprecated: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly constraints: readonly { readonly keyword: string; readonly value: unknown }[];
  readonly examples: readonly unknown[];
  readonly properties: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly items: Schema | null;
  readonly additional: Schema | null;
  readonly variants: { readonly kind: 'oneOf' | 'anyOf' | 'allOf'; readonly schemas: readonly Schema[] } | null;
  readonly cut: 'recursive' | 'deep' | null;
}

export interface Content {
  readonly mediaType: string;
  readonly schema: Schema | null;
  readonly examples: readonly {
    readonly name: string;
    readonly summary: string;
    readonly value: unknown;
    readonly generated: boolean;
  }[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string;
  readonly schema: Schema | null;
}

export interface SecurityScheme {
  readonly name: string;
  readonly type: string;
  readonly in: string | null;
  readonly parameter: string | null;
  readonly scheme: string | null;
  readonly description: string;
  readonly scopes: readonly string[];
}

export interface OperationPageData extends CatalogOperation {
  readonly product: {
    readonly id: string;
    readonly name: string;
    readonly displayName: string;
    readonly sandbox: boolean;
  };
  readonly apiDisplayName: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly servers: readonly GatewayServer[];
  readonly security: readonly (readonly SecurityScheme[])[];
  readonly parameters: readonly Parameter[];
  readonly requestBody: {
    readonly required: boolean;
    readonly description: string;
    readonly content: readonly Content[];
  } | null;
  readonly responses: readonly {
    readonly status: string;
    readonly description: string;
    readonly headers: readonly {
      readonly name: string;
      readonly description: string;
      readonly schema: Schema | null;
    }[];
    readonly content: readonly Content[];
  }[];
  readonly snippets: readonly { readonly language: string; readonly label: string; readonly code: string }[];
}

export interface PortalGuide extends GuideLink {
  readonly publishedAt: string;
  readonly languages: readonly Language[];
  readonly products: readonly { readonly name: string; readonly displayName: string }[];
  /** Markdown, and what it was rendered as. */
  readonly source: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[];
}

export interface PortalChange {
  readonly id: string;
  readonly at: string;
  readonly kind: 'published' | 'changed' | 'withdrawn';
  readonly api: { readonly name: string; readonly displayName: string };
  readonly apiVersion: string;
  readonly products: readonly { readonly name: string; readonly displayName: string }[];
  readonly breaking: boolean;
  readonly changes: readonly {
    readonly operation: string | null;
    readonly kind: 'added' | 'removed' | 'changed';
    readonly breaking: boolean;
    readonly text: string;
  }[];
  readonly total: number;
}

export type StatusState = 'operational' | 'degraded' | 'unavailable' | 'unknown';

export interface PortalStatus {
  readonly state: StatusState;
  readonly environments: readonly {
    readonly name: string;
    readonly displayName: string;
    readonly state: StatusState;
    readonly reportedAt: string | null;
  }[];
  /** Unresolved ones, then those resolved lately. */
  readonly incidents: readonly PortalIncident[];
  readonly checkedAt: string;
}

/** What callers may know of an incident. */
export interface PortalIncident {
  readonly impact: 'errors' | 'slow';
  readonly state: 'investigating' | 'in_progress' | 'monitoring' | 'resolved';
  readonly environment: NamedThing;
  readonly apis: readonly NamedThing[];
  readonly products: readonly NamedThing[];
  readonly startedAt: string;
  readonly resolvedAt: string | null;
}

interface NamedThing {
  readonly name: string;
  readonly displayName: string;
}
