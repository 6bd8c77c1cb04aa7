import { displayName } from '@millrace/operations/display-name';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';

/** The languages of the developer portal. */
export const portalLanguages = ['en', 'de'] as const;
export const PortalLanguage = z.enum(portalLanguages);
export type PortalLanguage = z.infer<typeof PortalLanguage>;

const HexColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'Must be a colour such as #1d4ed8, with six lower-case hex digits.');

const ThemeColors = z.strictObject({
  accent: HexColor.describe('Of buttons and marks; at least 3:1 on the background.'),
  background: HexColor.describe('Of the page.'),
  surface: HexColor.describe('Of cards and panels.'),
  text: HexColor.describe('At least 4.5:1 on background and surface.'),
});

export const PortalTheme = z.strictObject({ light: ThemeColors, dark: ThemeColors });
export type PortalTheme = z.infer<typeof PortalTheme>;

const line = (longest: number) => z.string().trim().max(longest);

const PortalTexts = z.strictObject({
  headline: line(120).describe('First line of the home page; empty: a general one.'),
  introduction: z.string().trim().max(2_000).describe('Below the headline, as plain text; empty: a general one.'),
  footer: line(300).describe('At the end of every page, as plain text.'),
});

/** A page that the footer links to. */
const LegalLink = z
  .url({ protocol: /^https$/, error: 'Must be an address that starts with https://.' })
  .max(2_000)
  .nullable();

const ProductIds = z
  .array(Id)
  .max(1_000)
  .refine((ids) => new Set(ids).size === ids.length, 'List each product once.');

/** What an organization sets, besides the logos. */
const portalSettingFields = {
  open: z.boolean().describe('Whether anybody sees the portal.'),
  registration: z
    .enum(['open', 'approval', 'closed'])
    .describe('Who may register: anybody, anybody whom the organization approves, or nobody.'),
  title: displayName().nullable().describe('Name of the portal; null: the organization’s display name.'),
  texts: z.strictObject({ en: PortalTexts, de: PortalTexts }),
  defaultLanguage: PortalLanguage.describe('For visitors whose browser asks for neither language.'),
  theme: PortalTheme,
  legal: z
    .strictObject({ terms: LegalLink, privacy: LegalLink, imprint: LegalLink })
    .describe('Pages that the footer links to; null: no link.'),
  catalog: z
    .strictObject({
      order: ProductIds.describe('Products that come first, in this order; the others follow by display name.'),
      featured: ProductIds.describe('Products that the home page shows.'),
      hidden: ProductIds.describe('Published products that the catalog leaves out; their pages stay reachable.'),
    })
    .describe('Products that no longer exist are skipped.'),
  sandboxProductIds: ProductIds.describe(
    'Products that visitors may try without an account, at a limited rate for each address.',
  ),
};

const Logo = z.object({ sizeBytes: z.int(), sha256: z.string() }).nullable();

export const PortalSettings = z
  .object({
    ...portalSettingFields,
    logo: Logo.describe('Logo on light backgrounds, and icon of the pages; null: there is none.'),
    logoDark: Logo.describe('Logo on dark backgrounds; null: the other one is used.'),
    version: z.int(),
  })
  .meta({ id: 'PortalSettings' });
export type PortalSettings = z.infer<typeof PortalSettings>;

/** The colours of one mode, those of the theme and those that follow from them. */
const Palette = ThemeColors.extend({
  accentText: z.string().describe('Text on the accent colour: black or white.'),
  link: z.string().describe('Accent colour as text: at least 4.5:1 on background and surface.'),
  mutedText: z.string().describe('Less important text: at least 4.5:1 on background and surface.'),
  border: z.string().describe('Edges of cards; decoration only.'),
  controlBorder: z.string().describe('Edges of form controls: at least 3:1 on background and surface.'),
});

export const Portal = z
  .object({
    organization: Name.describe('Name of the organization, as in the portal’s address.'),
    organizationName: z.string().describe('Its display name.'),
    title: z.string(),
    url: z.string().describe('Where the portal is, without a slash at the end: its host name, or its path here.'),
    registration: portalSettingFields.registration,
    languages: z.array(PortalLanguage),
    defaultLanguage: PortalLanguage,
    texts: portalSettingFields.texts,
    theme: z.object({ light: Palette, dark: Palette }),
    legal: portalSettingFields.legal,
    logo: z.object({ light: z.string().nullable(), dark: z.string().nullable() }).describe('SHA-256 of each logo.'),
    stamp: z.string().describe('Changes whenever something that public pages show has changed.'),
  })
  .meta({ id: 'Portal' });
export type Portal = z.infer<typeof Portal>;

/** As base64: about 200 KB of PNG. */
const longestLogo = 280_000;
const LogoVariant = z.enum(['light', 'dark']);

const tag = 'Portal';
const audit = { category: 'configuration', severity: 'medium', entityType: 'portal_settings' } as const;

const exampleTexts = {
  en: { headline: 'Orders and stock, by API', introduction: 'Read orders and keep stock.', footer: 'Acme GmbH' },
  de: { headline: 'Bestellungen und Bestand per API', introduction: 'Bestellungen lesen.', footer: 'Acme GmbH' },
};
const exampleTheme = {
  light: { accent: '#1d4ed8', background: '#ffffff', surface: '#f4f6f9', text: '#1a202c' },
  dark: { accent: '#7aa2ff', background: '#12161d', surface: '#1b212b', text: '#e8ecf2' },
};
const exampleLegal = {
  terms: 'https://acme.example/terms',
  privacy: 'https://acme.example/privacy',
  imprint: 'https://acme.example/imprint',
};
const exampleSettings = {
  open: true,
  registration: 'open' as const,
  title: 'Acme developers',
  texts: exampleTexts,
  defaultLanguage: 'en' as const,
  theme: exampleTheme,
  legal: exampleLegal,
  catalog: { order: ['prd_00000000000000000000000001'], featured: [], hidden: [] },
  sandboxProductIds: [],
  logo: { sizeBytes: 70, sha256: 'a'.repeat(64) },
  logoDark: null,
  version: 1,
};
/** One transparent pixel. */
export const examplePng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const portalSettingsOperations = [
  defineOperation({
    id: 'getPortal',
    method: 'GET',
    path: '/portal',
    tag,
    summary: 'Show the developer portal',
    description: 'Title, texts, theme and what else every page needs.',
    access: 'portal_visitor',
    audit: null,
    request: {},
    data: Portal,
    example: {
      request: {},
      data: {
        organization: 'acme',
        organizationName: 'Acme GmbH',
        title: 'Acme developers',
        url: 'https://developers.acme.example',
        registration: 'open',
        languages: ['en', 'de'],
        defaultLanguage: 'en',
        texts: exampleTexts,
        theme: {
          light: {
            ...exampleTheme.light,
            accentText: '#ffffff',
            link: '#1d4ed8',
            mutedText: '#555b66',
            border: '#d5d9e0',
            controlBorder: '#868c97',
          },
          dark: {
            ...exampleTheme.dark,
            accentText: '#000000',
            link: '#7aa2ff',
            mutedText: '#a9b0bb',
            border: '#343b47',
            controlBorder: '#6f7785',
          },
        },
        legal: exampleLegal,
        logo: { light: 'a'.repeat(64), dark: null },
        stamp: '42.1.1',
      },
    },
  }),
  defineOperation({
    id: 'getPortalLogo',
    method: 'GET',
    path: '/portal/logo',
    tag,
    summary: 'Show the portal’s logo',
    access: 'portal_visitor',
    audit: null,
    request: {
      query: z.strictObject({
        variant: LogoVariant.default('light').describe('Without a dark logo, both are the same.'),
        sha256: z.string().max(64).optional().describe('Makes the address change with the logo; not compared.'),
      }),
    },
    data: z.string(),
    download: { mediaType: 'image/png' },
    example: { request: { query: {} }, data: '(PNG)' },
  }),
  defineOperation({
    id: 'getPortalSettings',
    method: 'GET',
    path: '/portal-settings',
    tag,
    summary: 'Show the portal’s settings',
    description: 'Without any settings, the defaults apply, and the portal is not open.',
    access: 'portal.read',
    audit: null,
    request: {},
    data: PortalSettings,
    example: { request: {}, data: exampleSettings },
  }),
  defineOperation({
    id: 'updatePortalSettings',
    method: 'PATCH',
    path: '/portal-settings',
    tag,
    summary: 'Change the portal’s settings',
    description:
      'Changes the given settings, each as a whole. A theme whose colours are too close to be read is rejected: text needs a contrast of 4.5 by WCAG 2.2, the accent colour 3.',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { body: z.strictObject(portalSettingFields).partial() },
    data: PortalSettings,
    errors: ['version_conflict'],
    example: {
      request: { body: { open: true, title: 'Acme developers', texts: exampleTexts, theme: exampleTheme } },
      data: { ...exampleSettings, version: 2 },
    },
  }),
  defineOperation({
    id: 'getPortalLogos',
    method: 'GET',
    path: '/portal-settings/logo',
    tag,
    summary: 'Show the portal’s logos',
    access: 'portal.read',
    audit: null,
    request: {},
    data: z.object({
      light: z.string().nullable().describe('A PNG file as base64; null: there is none.'),
      dark: z.string().nullable(),
    }),
    example: { request: {}, data: { light: examplePng, dark: null } },
  }),
  defineOperation({
    id: 'setPortalLogo',
    method: 'PUT',
    path: '/portal-settings/logo',
    tag,
    summary: 'Set or remove a logo of the portal',
    access: 'portal.write',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        variant: LogoVariant.default('light'),
        png: z
          .base64()
          .max(longestLogo, 'A logo may have at most 200 KB.')
          .nullable()
          .describe('A PNG file as base64, at most 200 KB; null removes the logo.'),
      }),
    },
    data: PortalSettings,
    errors: ['version_conflict'],
    example: { request: { body: { png: examplePng } }, data: { ...exampleSettings, version: 2 } },
  }),
] as const;
