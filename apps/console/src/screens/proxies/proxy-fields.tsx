import { Anchor, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { Form } from '@millrace/ui/form';
import type { DataOf } from '../../frame/api.ts';
import { withVersionSegment } from './version-segment.ts';

type ApiProxy = DataOf<'getProxy'>;

export const protocolNames: Readonly<Record<ApiProxy['protocol'], string>> = {
  rest: 'REST',
  graphql: 'GraphQL',
  websocket: 'WebSocket',
  events: 'Events',
};

export const authSchemeNames: Readonly<Record<ApiProxy['authScheme'], string>> = {
  none: 'None',
  api_key: 'API key',
  jwt: 'JSON Web Token',
};

/** Options of a select, from names by value. */
export function namedOptions<Value extends string>(names: Readonly<Record<Value, string>>) {
  return (Object.entries(names) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

/** What a proxy is called and where callers find it. */
export interface ProxyValues {
  readonly displayName: string;
  readonly name: string;
  readonly basePath: string;
  readonly description: string;
  readonly protocol: ApiProxy['protocol'];
  readonly authScheme: ApiProxy['authScheme'];
  readonly tags: string[];
}

/** The base path, with the hint that governance asks for a version in it. */
export function BasePathInput<Values extends { readonly basePath: string }>(props: {
  readonly form: Form<Values>;
  readonly description?: string;
  readonly required?: boolean;
}) {
  const { form } = props;
  const { basePath } = form.values;
  const versioned = withVersionSegment(basePath);
  return (
    <div>
      <TextInput
        label="Base path"
        description={
          props.description ??
          'Where callers find it on every host name of an environment. Its version is set for good.'
        }
        placeholder="/v1/orders"
        required={props.required ?? true}
        value={basePath}
        onChange={(event) => form.set('basePath', event.currentTarget.value as Values['basePath'])}
        error={form.errorAt('basePath')}
        spellCheck={false}
      />
      {versioned !== null && (
        <Text size="sm" mt={6} role="status">
          Without a version segment the rule VER-001 objects.{' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => form.set('basePath', versioned as Values['basePath'])}
          >
            Use {versioned}
          </Anchor>
        </Text>
      )}
    </div>
  );
}

/** The fields that follow the names, when a proxy is made and when it is changed. */
export function ProxyDetails(props: { readonly form: Form<ProxyValues> }) {
  const { form } = props;
  return (
    <>
      <Textarea label="Description" autosize minRows={2} maxRows={10} {...form.text('description')} />
      <Select
        label="Protocol"
        data={namedOptions(protocolNames)}
        value={form.values.protocol}
        onChange={(protocol) => protocol && form.set('protocol', protocol as ApiProxy['protocol'])}
        error={form.errorAt('protocol')}
        allowDeselect={false}
      />
      <Select
        label="How callers prove who they are"
        description="Says what callers need; a policy on the request flow checks it."
        data={namedOptions(authSchemeNames)}
        value={form.values.authScheme}
        onChange={(scheme) => scheme && form.set('authScheme', scheme as ApiProxy['authScheme'])}
        error={form.errorAt('authScheme')}
        allowDeselect={false}
      />
      <TagsInput
        label="Tags"
        placeholder="Type and press Enter"
        value={form.values.tags}
        onChange={(tags) => form.set('tags', tags)}
        error={form.errorAt('tags')}
        acceptValueOnBlur
      />
    </>
  );
}
