import { drawTrade, tradeLayouts } from '../../trade.ts';
import type { Generator } from '../generator.ts';

export const creditNoteGenerator: Generator = {
  draw: (scene, layout) => drawTrade(scene, 'credit_note', layout),
  layouts: tradeLayouts,
  samples: [
    {
      file: 'credit-note-es.pdf',
      description: 'Credit note, Spanish',
      seed: 'sample 26',
      region: 'es-ES',
      layout: 'boxed',
    },
  ],
};
