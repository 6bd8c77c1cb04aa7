import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { type Manifest, renderChart } from './render.ts';

const deployFolder = resolve(import.meta.dirname, '../../deploy');
export const chartFolder = join(deployFolder, 'helm/millrace');
export const kustomizeFolder = join(deployFolder, 'kustomize');

/** The values files of each size, in their order. */
export const sizes = {
  single: ['values.yaml', 'values-single.yaml'],
  standard: ['values.yaml'],
  large: ['values.yaml', 'values-large.yaml'],
} as const;
type Size = keyof typeof sizes;

const notice = '# Generated from the chart in deploy/helm by `npm run manifests`.\n';

/** The objects of a size, in the namespace `millrace`. */
export function manifestsOf(size: Size): readonly Manifest[] {
  return renderChart(chartFolder, sizes[size], 'millrace');
}

/**
 * The Kustomize files by their path: in the base, the objects that all sizes have in common; in each overlay, the
 * others, whole. So they need no patches, and yours can patch any of them.
 */
export function kustomizeFiles(): ReadonlyMap<string, string> {
  const names = Object.keys(sizes) as Size[];
  const bySize = names.map((size) => ({ size, manifests: manifestsOf(size) }));
  const [first] = bySize;
  const common = (first?.manifests ?? []).filter((manifest) =>
    bySize.every(({ manifests }) => manifests.some((other) => isDeepStrictEqual(other, manifest))),
  );
  const files = new Map([
    ['base/manifests.yaml', yamlOf(common)],
    ['base/kustomization.yaml', kustomization(['manifests.yaml'])],
  ]);
  for (const { size, manifests } of bySize) {
    const own = manifests.filter((manifest) => !common.some((other) => isDeepStrictEqual(other, manifest)));
    files.set(`overlays/${size}/manifests.yaml`, yamlOf(own));
    files.set(`overlays/${size}/kustomization.yaml`, kustomization(['../../base', 'manifests.yaml']));
  }
  return files;
}

/** The Kustomize files as they are in the repository. */
export function storedFiles(paths: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...paths].map((path) => [path, readFileSync(join(kustomizeFolder, path), 'utf8')]));
}

function yamlOf(manifests: readonly Manifest[]): string {
  return (
    notice +
    manifests.map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')
  );
}

function kustomization(resources: readonly string[]): string {
  const content = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
  return notice + stringify(content);
}
