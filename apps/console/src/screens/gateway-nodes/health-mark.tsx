import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';

export type GatewayNode = DataOf<'getGatewayNode'>;

const tones: Readonly<Record<GatewayNode['health'], Tone>> = {
  healthy: 'good',
  degraded: 'warning',
  draining: 'active',
  drained: 'neutral',
  offline: 'bad',
};

/** Every health of a node, for a filter. */
export const nodeHealths = Object.keys(tones);

/** How a gateway node is. */
export function HealthMark({ health }: Pick<GatewayNode, 'health'>) {
  return <Mark tone={tones[health]}>{wordsOf(health)}</Mark>;
}
