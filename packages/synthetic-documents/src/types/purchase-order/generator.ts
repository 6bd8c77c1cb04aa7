import { drawTrade, tradeLayouts } from '../../trade.ts';
import type { Generator } from '../generator.ts';

export const purchaseOrderGenerator: Generator = {
  draw: (scene, layout) => drawTrade(scene, 'purchase_order', layout),
  layouts: tradeLayouts,
};
