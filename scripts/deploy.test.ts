import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { startTestControl } from '@millrace/control/testing';
import { startTestService } from '@millrace/extraction/testing';
import { createMetrics } from '@millrace/gateway/metrics';
import { controlDeclarations } from '@millrace/settings/declarations/control';
import { extractionDeclarations } from '@millrace/settings/declarations/extraction';
import { gatewayDeclarations } from '@millrace/settings/declarations/gateway';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { type Manifest, renderChart } from './chart/render.ts';
import { chartFolder, kustomizeFiles, kustomizeFolder, manifestsOf, sizes, storedFiles } from './chart/sizes.ts';

const root = resolve(import.meta.dirname, '..');
const deploy = join(root, 'deploy');
const sizeNames = Object.keys(sizes) as (keyof typeof sizes)[];

const models = {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  StatefulSet,
};

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly containers: readonly [Container]; readonly volumes: readonly { readonly name: string }[] };
}

interface Workload extends Manifest {
  readonly spec: {
    readonly template: PodTemplate;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return manifests.filter((manifest): manifest is Workload => /^(Deployment|StatefulSet)$/.test(manifest.kind));
}

function documentsOf(text: string): readonly Manifest[] {
  return [...parseAllDocuments(text)].map((document) => document.toJS() as Manifest);
}

function inOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
  return manifests.toSorted((first, second) => (nameOf(first) < nameOf(second) ? -1 : 1));
}

function validate(manifests: readonly Manifest[]): void {
  for (const manifest of manifests) {
    const Model = models[manifest.kind as keyof typeof models];
    assert.ok(Model, manifest.kind);
    new Model(manifest as never).validate();
  }
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
}

describe('the Kubernetes manifests', () => {
  test('are those of the chart', () => {
    const files = kustomizeFiles();
    assert.deepEqual(storedFiles(files.keys()), files, 'run `npm run manifests`');
  });

  for (const size of sizeNames) {
    const manifests = manifestsOf(size);

    test(`have the same objects as chart, base and overlay, in the size ${size}`, () => {
      const files = kustomizeFiles();
      const parts = ['base/manifests.yaml', `overlays/${size}/manifests.yaml`].map((path) => files.get(path) ?? '');
      assert.deepEqual(inOrder(parts.flatMap(documentsOf)), inOrder(manifests));
      if (isInstalled('kubectl')) {
        const rendered = execFileSync('kubectl', ['kustomize', join(kustomizeFolder, 'overlays', size)]).toString();
        assert.deepEqual(inOrder(documentsOf(rendered)), inOrder(manifests));
      }
      if (isInstalled('helm')) {
        const values = sizes[size].flatMap((name) => ['--values', join(chartFolder, name)]);
        const words = ['template', 'millrace', chartFolder, '--namespace', 'millrace', ...values];
        assert.deepEqual(inOrder(documentsOf(execFileSync('helm', words).toString())), inOrder(manifests));
      }
    });

    test(`follow the schemas of Kubernetes, in the size ${size}`, () => {
      validate(manifests);
    });

    test(`refer to what is there, in the size ${size}`, () => {
      const workloads = workloadsOf(manifests);
      const findWorkload = (labels: Readonly<Record<string, string>>) =>
        workloads.filter(({ spec }) =>
          Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
        );
      for (const { spec } of workloads) {
        const [container] = spec.template.spec.containers;
        const volumes = [...spec.template.spec.volumes, ...(spec.volumeClaimTemplates ?? []).map((c) => c.metadata)];
        for (const { name } of container.volumeMounts) assert.ok(volumes.some((volume) => volume.name === name));
        const entry = container.args.find((word) => word.endsWith('.ts')) ?? '';
        assert.ok(existsSync(join(root, entry)), entry);
        const port = spec.template.metadata.annotations?.['prometheus.io/port'];
        if (port !== undefined) assert.ok(container.ports.some(({ containerPort }) => String(containerPort) === port));
      }
      for (const manifest of manifests) {
        const text = JSON.stringify(manifest);
        for (const [, name = ''] of text.matchAll(/"targetPort":"(\w+)"/g)) {
          const { selector } = manifest.spec as { readonly selector: Readonly<Record<string, string>> };
          const [target] = findWorkload(selector);
          assert.ok(
            target?.spec.template.spec.containers[0].ports.some((port) => port.name === name),
            text,
          );
        }
        if (manifest.kind === 'PodDisruptionBudget') {
          const { selector } = manifest.spec as { readonly selector: { readonly matchLabels: Record<string, string> } };
          assert.equal(findWorkload(selector.matchLabels).length, 1);
        }
        if (manifest.kind === 'HorizontalPodAutoscaler') {
          const { scaleTargetRef: target } = manifest.spec as {
            readonly scaleTargetRef: { readonly kind: string; readonly name: string };
          };
          const scaled = workloads.find(({ kind, metadata }) => kind === target.kind && metadata.name === target.name);
          assert.ok(scaled && !('replicas' in scaled.spec), target.name);
        }
        for (const [, name = ''] of text.matchAll(/"(?:secretRef|secretKeyRef)":\{"name":"([^"]+)"/g)) {
          assert.equal(name, 'millrace');
        }
      }
    });

    test(`run without privileges and with limits, in the size ${size}`, () => {
      for (const { spec } of workloadsOf(manifests)) {
        const pod = spec.template.spec as unknown as {
          readonly securityContext: object;
          readonly automountServiceAccountToken: boolean;
          readonly containers: readonly [Readonly<Record<string, unknown>>];
        };
        const [container] = pod.containers;
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.partialDeepStrictEqual(pod.securityContext, { runAsNonRoot: true, runAsUser: 10001 });
        assert.equal(pod.automountServiceAccountToken, false);
        for (const field of ['startupProbe', 'livenessProbe', 'readinessProbe', 'resources', 'lifecycle']) {
          assert.ok(container[field], field);
        }
      }
    });
  }

  test('follow the schemas with everything turned on', () => {
    const everything = renderChart(chartFolder, sizes.standard, 'millrace', {
      backup: { enabled: true },
      gateway: { autoscaling: { enabled: true } },
      inbox: { enabled: true },
      worker: { autoscaling: { enabled: true } },
    });
    const kinds = everything.map(({ kind }) => kind);
    assert.deepEqual(new Set(kinds), new Set(Object.keys(models)));
    validate(everything);
  });

  test('set only settings that there are, and start the gateway as `npm run start:gateway` does', () => {
    const known = new Set(
      [extractionDeclarations, controlDeclarations, gatewayDeclarations].flatMap((declarations) =>
        Object.values(declarations).map(({ name }) => name),
      ),
    );
    const texts = [
      ...sizeNames.map((size) => JSON.stringify(manifestsOf(size))),
      readFileSync(join(deploy, 'compose.yaml'), 'utf8').replaceAll('MILLRACE_IMAGE', ''),
      readFileSync(join(deploy, 'Containerfile'), 'utf8'),
      ...readdirSync(join(deploy, 'systemd')).map((name) => readFileSync(join(deploy, 'systemd', name), 'utf8')),
    ];
    for (const text of texts) {
      for (const [name] of text.matchAll(/\bMILLRACE_\w+/g)) assert.ok(known.has(name), name);
    }
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const gateway = workloadsOf(manifestsOf('standard')).find(({ metadata }) => metadata.name === 'millrace-gateway');
    const words = gateway?.spec.template.spec.containers[0].args.join(' ') ?? 'none';
    assert.ok(scripts['start:gateway']?.endsWith(` ${words}`), words);
    assert.ok(readFileSync(join(deploy, 'systemd/millrace-gateway@.service'), 'utf8').includes(words));
  });
});

test('the compose file runs each role without privileges', () => {
  const { services } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  assert.deepEqual(Object.keys(services), ['extraction', 'worker', 'control', 'gateway']);
  for (const service of Object.values(services)) {
    assert.partialDeepStrictEqual(service, { read_only: true, cap_drop: ['ALL'] });
    assert.ok(service.healthcheck);
    const [entry = ''] = service.command as readonly string[];
    assert.ok(existsSync(join(root, entry)), entry);
  }
});

test('dashboards and alert rules use metrics that there are', async () => {
  const service = await startTestService();
  const extraction = await (await fetch(`${service.baseUrl}/metrics`)).text();
  await service.stop();
  const managed = await startTestControl();
  const control = await (await fetch(`${managed.baseUrl}/metrics`)).text();
  await managed.stop();
  const gateway = await createMetrics({
    connections: () => 0,
    inFlight: () => 0,
    spooledBatches: () => 0,
    isUsageDurable: () => true,
    isReady: () => true,
    droppedLogLines: () => 0,
    eventLoopDelayMs: () => 0,
  }).text();
  const known = new Set<string>();
  for (const [, name = '', type] of `${extraction}\n${control}\n${gateway}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    for (const suffix of type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']) known.add(name + suffix);
  }
  const folder = join(deploy, 'observability');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const used = texts.flatMap((text) => text.match(/\b(?:millrace|process|nodejs)_[a-z0-9_]+/g) ?? []);
  assert.ok(used.length > 50);
  for (const name of used) assert.ok(known.has(name), name);
  if (isInstalled('promtool')) execFileSync('promtool', ['check', 'rules', join(folder, 'alert-rules.yaml')]);
});
