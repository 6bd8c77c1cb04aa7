import { showDone } from '@millrace/ui/form';
import { type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { BasePathField } from './base-path-field.tsx';
import { authSchemeNames, namedOptions, protocolNames } from './names.ts';

type ApiProxy = DataOf<'getProxy'>;

const basePath = (description: string) => ({
  render: ({ value, onChange, error }: RenderedField) => (
    <BasePathField value={String(value)} onChange={onChange} error={error} description={description} />
  ),
});

/** Creates an API proxy, or edits the given one. */
export function ProxyForm(props: {
  readonly proxy?: ApiProxy;
  readonly onCancel: () => void;
  readonly onSaved: (proxy: ApiProxy) => void;
}) {
  const { proxy, onCancel, onSaved } = props;
  const create = useWrite('createProxy');
  const update = useWrite('updateProxy');
  // The version of the values in the form: a change by somebody else in the meantime is refused, not overwritten.
  const [version] = useState(proxy?.version);
  return (
    <SchemaForm
      schema={bodyOf('createProxy')}
      initial={proxy}
      preset={{ authScheme: 'api_key' }}
      order={['displayName', 'name', 'basePath']}
      fields={{
        displayName: { placeholder: 'Orders' },
        name: { nameOf: 'displayName', help: 'Lower-case letters, digits and hyphens' },
        basePath: basePath('Where callers reach it on every host; its version can’t be changed later'),
        protocol: { options: namedOptions(protocolNames) },
        authScheme: {
          label: 'Authentication',
          help: 'What callers need; a request policy enforces it',
          options: namedOptions(authSchemeNames),
        },
        tags: { placeholder: 'Type and press Enter' },
      }}
      submitLabel={proxy ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const saved = proxy
          ? await update.mutateAsync({ params: { proxyId: proxy.id }, body, version })
          : await create.mutateAsync({ body });
        showDone(proxy ? 'API proxy saved.' : `${saved.displayName} created. Add its routes next.`);
        onSaved(saved);
      }}
    />
  );
}

/** Copies the working copy into a new draft, such as for the next version of an API. */
export function CloneForm(props: {
  readonly proxy: ApiProxy;
  readonly onCancel: () => void;
  readonly onCloned: (proxy: ApiProxy) => void;
}) {
  const { proxy, onCancel, onCloned } = props;
  const clone = useWrite('cloneProxy');
  const { displayName, name } = proxy;
  return (
    <SchemaForm
      schema={bodyOf('cloneProxy')}
      preset={{ displayName, name: `${name}-next`, basePath: nextVersion(proxy.basePath) }}
      order={['displayName']}
      fields={{ basePath: basePath('Routes, policies and the newest specification are copied') }}
      submitLabel="Clone"
      onCancel={onCancel}
      send={async (body) => {
        const made = await clone.mutateAsync({ params: { proxyId: proxy.id }, body });
        showDone(`${made.displayName} created as a draft.`);
        onCloned(made);
      }}
    />
  );
}

/** `/v1/orders` becomes `/v2/orders`; a path without a version stays. */
function nextVersion(path: string): string {
  return path.replace(/(?<=\/v)\d+(?=\/|$)/, (version) => String(Number(version) + 1));
}
