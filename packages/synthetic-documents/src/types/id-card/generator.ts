import { drawIdentity, identityLayouts } from '../../identity.ts';
import type { Generator } from '../generator.ts';

export const idCardGenerator: Generator = {
  draw: (scene, layout) => drawIdentity(scene, 'id_card', layout),
  layouts: identityLayouts.id_card,
};
