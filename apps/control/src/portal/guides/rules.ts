import { ApiError } from '../../frame/errors.ts';
import type { PortalLanguage } from '../settings/contract.ts';
import type { Guide } from './contract.ts';

/** What a version of a guide consists of. */
export interface GuideTexts {
  readonly title: string;
  readonly summary: string;
  readonly source: string;
}

/** Versions of a guide, of which each may have 200 kB. */
const mostVersions = 1_000;
const mostGuides = 1_000;

/** Rejects another guide where there are as many as a portal may have. */
export function refuseTooManyGuides(count: number): void {
  if (count < mostGuides) return;
  throw new ApiError('conflict', { message: `A portal can have at most ${mostGuides} guides. Delete one first.` });
}

/** The texts of the version that an edit makes; null if they stay as they are. */
export function editedTexts(before: GuideTexts, edit: Partial<GuideTexts>): GuideTexts | null {
  const { title, summary, source } = before;
  const after = { title, summary, source, ...edit };
  const isSame = after.title === title && after.summary === summary && after.source === source;
  return isSame ? null : after;
}

export function refuseTooManyVersions({ guideVersion }: Pick<Guide, 'guideVersion'>): void {
  if (guideVersion < mostVersions) return;
  throw new ApiError('conflict', {
    message: `A guide can have at most ${mostVersions} versions. Create a new guide with its text.`,
  });
}

/** Rejects publishing what is published, and unpublishing what is not. */
export function refusePublication({ publishedVersion }: Guide, wanted: number | null): void {
  if (publishedVersion !== wanted) return;
  throw new ApiError('conflict', {
    message:
      wanted === null
        ? 'The guide is not published. Next: publish it.'
        : `Version ${wanted} is already published. Next: edit the guide, or unpublish it.`,
  });
}

/** Of a guide's translations, the one in the preferred language, or the first. */
export function inLanguage<Row extends { readonly language: PortalLanguage }>(
  translations: readonly Row[],
  preferred: PortalLanguage,
): Row | undefined {
  return translations.find(({ language }) => language === preferred) ?? translations[0];
}
