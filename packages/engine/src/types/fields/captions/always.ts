import { captionsIn } from '../../captions.ts';

export const captions = captionsIn({
  en: {
    currency: ['currency'],
  },
  de: {
    currency: ['währung'],
  },
  fr: {
    currency: ['devise', 'monnaie'],
  },
  es: {
    currency: ['moneda', 'divisa'],
  },
  it: {
    currency: ['valuta'],
  },
  pt: {
    currency: ['moeda'],
  },
  later: {
    currency: ['all amounts in', 'alle beträge in'],
  },
});
