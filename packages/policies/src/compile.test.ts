import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePolicy } from './compile.ts';
import { policyKinds } from './policies.ts';
import { partsOf, policyOf } from './testing.ts';

const parts = partsOf({ variables: new Map([['TARGET_TOKEN', 'secret']]) });

describe('compiling policies', () => {
  for (const { kind, example, flows } of policyKinds) {
    it(`makes ${kind} run on each of its flows`, () => {
      const compiled = compilePolicy(kind, policyOf(example), parts);
      for (const flow of flows) assert.ok(compiled[flow], flow);
    });
  }

  it('reports which policy can’t be loaded and why', () => {
    assert.throws(() => compilePolicy('constructor', policyOf({}), parts), /Unknown policy kind "constructor"/);
    assert.throws(
      () => compilePolicy('request-size-limit', policyOf({ maxBodyBytes: -1 }), parts),
      /policy-1 \(request-size-limit\) can’t be loaded: .*maxBodyBytes/s,
    );
    const configuration = { set: [{ name: 'x-a', value: '{{variables.MISSING}}' }] };
    assert.throws(() => compilePolicy('transform-headers', policyOf(configuration), parts), /MISSING has no value/);
  });
});
