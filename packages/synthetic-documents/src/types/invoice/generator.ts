import { drawTrade, tradeLayouts } from '../../trade.ts';
import type { Generator } from '../generator.ts';

export const invoiceGenerator: Generator = {
  draw: (scene, layout) => drawTrade(scene, 'invoice', layout),
  layouts: tradeLayouts,
  samples: [
    {
      file: 'invoice-en.pdf',
      description: 'Invoice, English, with a text layer',
      seed: 'sample 70',
      region: 'en-GB',
      layout: 'banner',
    },
    {
      file: 'invoice-de.pdf',
      description: 'Invoice, German, laid out as DIN 5008 asks',
      seed: 'sample 42',
      region: 'de-DE',
      layout: 'letter',
    },
    { file: 'invoice-fr.pdf', description: 'Invoice, French', seed: 'sample 321', region: 'fr-FR', layout: 'classic' },
    {
      file: 'invoice-scan.pdf',
      description: 'Invoice, American, scanned a little askew: no text layer',
      seed: 'sample 156',
      region: 'en-US',
      layout: 'columns',
      as: { scan: { seed: 'sample', look: 'scan', dotsPerInch: 150, quality: 62 } },
    },
  ],
};
