import { drawIdentity, identityLayouts } from '../../identity.ts';
import type { Generator } from '../generator.ts';

export const passportGenerator: Generator = {
  draw: (scene, layout) => drawIdentity(scene, 'passport', layout),
  layouts: identityLayouts.passport,
  samples: [
    {
      file: 'passport.png',
      description: 'Data page of a passport with its machine-readable zone',
      seed: 'sample 7',
      region: 'nl-NL',
      as: { picture: { seed: 'sample', format: 'png', look: 'clean', dotsPerInch: 180 } },
    },
  ],
};
