/** Writes the Kustomize files from the Helm chart: `npm run manifests`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kustomizeFiles, kustomizeFolder } from './chart/sizes.ts';

for (const [path, text] of kustomizeFiles()) {
  const file = join(kustomizeFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
