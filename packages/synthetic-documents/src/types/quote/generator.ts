import { drawTrade, tradeLayouts } from '../../trade.ts';
import type { Generator } from '../generator.ts';

export const quoteGenerator: Generator = {
  draw: (scene, layout) => drawTrade(scene, 'quote', layout),
  layouts: tradeLayouts,
};
