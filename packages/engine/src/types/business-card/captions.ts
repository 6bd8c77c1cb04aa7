import { captionsIn } from '../captions.ts';

export const captions = captionsIn({
  en: {
    phones: ['m', 'f', 'fax', 'o', 'p', 'direct', 'office', 'cell'],
  },
});
