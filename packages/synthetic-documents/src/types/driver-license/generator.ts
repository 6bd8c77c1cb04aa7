import { drawIdentity, identityLayouts } from '../../identity.ts';
import type { Generator } from '../generator.ts';

export const driverLicenseGenerator: Generator = {
  draw: (scene, layout) => drawIdentity(scene, 'driver_license', layout),
  layouts: identityLayouts.driver_license,
};
