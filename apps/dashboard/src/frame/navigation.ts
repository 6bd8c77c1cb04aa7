import {
  IconActivity,
  IconChecklist,
  IconFileDescription,
  IconHome,
  IconKey,
  IconSettings,
  IconTemplate,
  IconWebhook,
} from '@millrace/ui/icons';
import type { PlaceSection } from '@millrace/ui/shell';
import { useReviewCount } from './review-count.ts';

/** The places of the dashboard, in their sections. */
export function usePlaces(): readonly PlaceSection[] {
  const { count, text } = useReviewCount();
  return [
    {
      label: null,
      places: [
        { label: 'Home', to: '/', icon: IconHome },
        { label: 'Documents', to: '/documents', icon: IconFileDescription },
        {
          label: 'Review',
          to: '/review',
          icon: IconChecklist,
          count: count > 0 ? { text, label: `${text} waiting` } : undefined,
        },
      ],
    },
    {
      label: 'Developer',
      places: [
        { label: 'API keys', to: '/developer/keys', icon: IconKey },
        { label: 'Webhooks', to: '/developer/webhooks', icon: IconWebhook },
        { label: 'Logs', to: '/developer/logs', icon: IconActivity },
      ],
    },
    {
      label: 'Account',
      places: [
        { label: 'Document types', to: '/types', icon: IconTemplate },
        { label: 'Settings', to: '/settings', icon: IconSettings },
      ],
    },
  ];
}
