import { Mark } from '@millrace/ui/mark';
import type { DataOf } from '../../frame/api.ts';

export type Guide = DataOf<'listGuides'>['guides'][number];

export const languageNames: Readonly<Record<Guide['language'], string>> = { en: 'English', de: 'German' };

/** Whether the portal shows a guide, and whether in its latest version. */
export function GuideMark({ guide }: { readonly guide: Pick<Guide, 'publishedVersion' | 'guideVersion'> }) {
  const { publishedVersion, guideVersion } = guide;
  if (publishedVersion === null) return <Mark tone="neutral">Draft</Mark>;
  if (publishedVersion === guideVersion) return <Mark tone="good">Published</Mark>;
  return <Mark tone="warning">{`Version ${publishedVersion} published`}</Mark>;
}
