/** The words of one language that documents are made of. All companies and people are fictional. */
export interface Vocabulary {
  readonly months: readonly string[];
  readonly monthsShort: readonly string[];
  readonly givenNames: { readonly F: readonly string[]; readonly M: readonly string[] };
  readonly surnames: readonly string[];
  readonly streets: readonly string[];
  readonly companyStems: readonly string[];
  readonly companyKinds: readonly string[];
  readonly legalForms: readonly string[];
  /** Goods: name, unit, lowest and highest price. */
  readonly goods: readonly Ware[];
  /** Services by the hour, day or lump sum. */
  readonly services: readonly Ware[];
  readonly groceries: readonly Ware[];
  readonly dishes: readonly Ware[];
  readonly shopKinds: readonly string[];
  readonly restaurantKinds: readonly string[];
  readonly terms: readonly string[];
  readonly thanks: readonly string[];
  readonly marketing: readonly string[];
  readonly jobs: readonly string[];
  readonly bankKinds: readonly string[];
}

export type Ware = readonly [name: string, unit: string, low: number, high: number];
