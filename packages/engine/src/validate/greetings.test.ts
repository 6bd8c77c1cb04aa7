import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { documentTypeOf } from '../types/registry.ts';
import { withoutGreetings } from './greetings.ts';

const read = (value: string): ExtractedValue => ({ value, confidence: 80, provenance: [], flags: [] });

test('who is greeted is named without the greeting', () => {
  const type = documentTypeOf('utility_bill');
  const fields = withoutGreetings(type, { customer_name: read('Hello Jane Doe'), provider_name: read('Hello Fibre') });
  assert.equal(fields.customer_name?.value, 'Jane Doe');
  assert.equal(fields.provider_name?.value, 'Hello Fibre');
});
