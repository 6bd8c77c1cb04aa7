import { SectionLinks } from '@millrace/ui/section-links';
import { texts } from '../../frame/texts.ts';

/** Figures, and single requests. */
export function UsageTabs() {
  return (
    <SectionLinks
      label={texts.usage.title}
      sections={[
        { to: '/account/usage', label: texts.usage.figures },
        { to: '/account/usage/requests', label: texts.requests.title },
      ]}
    />
  );
}
