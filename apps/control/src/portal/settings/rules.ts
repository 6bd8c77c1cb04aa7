import { contrastProblems, paletteOf } from '@millrace/portal-theme';
import type { JsonObject } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Portal, PortalSettings, PortalTheme } from './contract.ts';

/** What an organization sets in one column, as JSON. */
export type StoredSettings = Omit<PortalSettings, 'open' | 'registration' | 'logo' | 'logoDark' | 'version'>;

const noTexts = { headline: '', introduction: '', footer: '' };

const defaults: StoredSettings = {
  title: null,
  texts: { en: noTexts, de: noTexts },
  defaultLanguage: 'en',
  theme: {
    light: { accent: '#1d4ed8', background: '#ffffff', surface: '#f4f6f9', text: '#1a202c' },
    dark: { accent: '#7aa2ff', background: '#12161d', surface: '#1b212b', text: '#e8ecf2' },
  },
  legal: { terms: null, privacy: null, imprint: null },
  catalog: { order: [], featured: [], hidden: [] },
  sandboxProductIds: [],
};

/** The effective settings, from those that were set. */
export function completePortalSettings(stored: JsonObject): StoredSettings {
  // Written through the contract alone.
  return { ...defaults, ...(stored as Partial<StoredSettings>) };
}

/** Rejects a theme with colours that can't be read on one another. */
export function refuseTheme(theme: PortalTheme): void {
  const problems = (['light', 'dark'] as const).flatMap((mode) =>
    contrastProblems(theme[mode]).map(({ color, message }) => [`theme.${mode}.${color}`, message] as const),
  );
  if (problems.length === 0) return;
  // Of a colour with two problems, the first is named.
  throw new ApiError('invalid_request', {
    message: problems[0]![1],
    errors: Object.fromEntries(problems.toReversed()),
  });
}

/** The colours of both modes, and those that follow from them. */
export function palettesOf({ light, dark }: PortalTheme): Portal['theme'] {
  return { light: paletteOf(light), dark: paletteOf(dark) };
}

/** Every product that the settings name. */
export function productIdsOf({ catalog, sandboxProductIds }: PortalSettings): readonly string[] {
  return [...catalog.order, ...catalog.featured, ...catalog.hidden, ...sandboxProductIds];
}
