import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { operationsOfScreens } from './screen-operations.ts';

const api = `
  type OperationId = 'listTasks' | 'addTask' | 'dropTask';
  export function call<Id extends OperationId>(id: Id, args?: object) { return client[id](args); }
  export function useRead<Id extends OperationId>(id: Id) { return use(call(id)); }
`;

describe('the operations that screens can call', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  function usesIn(files: Readonly<Record<string, string>>) {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-screens-'));
    folders.push(folder);
    for (const [name, text] of Object.entries({ 'frame/api.ts': api, ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return Object.fromEntries(operationsOfScreens(folder, 'frame/api.ts'));
  }

  test('are those whose ids its functions are called with', () => {
    const screen = `
      import { call, useRead as read } from '../frame/api.ts';
      const added = 'addTask' as const;
      export const Screen = () => <A on={() => call(added)} b={read('listTasks', {}).data} />;
    `;
    assert.deepEqual(usesIn({ 'screens/tasks.tsx': screen }), {
      addTask: ['screens/tasks.tsx:4'],
      listTasks: ['screens/tasks.tsx:4'],
    });
  });

  test('include either id of a choice, and those that a function passes on', () => {
    const save = `
      import { call } from './api.ts';
      import type { OperationId } from './api.ts';
      export async function save<Id extends OperationId>(args: object, id: Id) { await call(id, args); }
    `;
    const screen = `
      import { save } from '../frame/save.ts';
      export const press = (isNew: boolean) => save({}, isNew ? 'addTask' : 'dropTask');
    `;
    assert.deepEqual(Object.keys(usesIn({ 'frame/save.ts': save, 'screens/tasks.ts': screen })), [
      'addTask',
      'dropTask',
    ]);
  });

  test('leave out what only a test calls', () => {
    const tested = `import { call } from '../frame/api.ts'; call('addTask');`;
    assert.deepEqual(usesIn({ 'screens/tasks.test.ts': tested }), {});
  });

  for (const [what, statement] of Object.entries({
    'an id that comes from elsewhere': 'export const press = (id) => call(id);',
    'an id of a choice that comes from elsewhere': `export const press = (id) => call(id ?? 'addTask');`,
    'a function that is given away': 'export const press = [1].map(call);',
    'a request beside the API module': `export const press = () => fetch('/tasks');`,
  })) {
    test(`throws for ${what}`, () => {
      const screen = `import { call } from '../frame/api.ts';\n${statement}`;
      assert.throws(() => usesIn({ 'screens/tasks.ts': screen }), /screens\/tasks\.ts:2/);
    });
  }
});
