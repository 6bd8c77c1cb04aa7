import { drawTrade, tradeLayouts } from '../../trade.ts';
import type { Generator } from '../generator.ts';

export const deliveryNoteGenerator: Generator = {
  draw: (scene, layout) => drawTrade(scene, 'delivery_note', layout),
  layouts: tradeLayouts,
};
