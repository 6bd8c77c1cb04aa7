import { Code, Group, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { PasswordField } from '@millrace/ui/password-field';
import { call, type DataOf, useRead } from '../../../frame/api.ts';
import { useEnvironments } from '../../../frame/environments.ts';
import { useProxy } from '../proxy-context.tsx';
import { headersOf } from './header-lines.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

interface Values {
  readonly environmentId: string;
  /** Empty: the working copy. */
  readonly revision: string;
  readonly method: (typeof methods)[number];
  readonly path: string;
  /** One per line. */
  readonly headers: string;
  readonly body: string;
  readonly key: string;
}

/** The form of the request to trace. */
export function TraceRequest(props: {
  readonly onSend: () => void;
  readonly onTraced: (trace: DataOf<'traceProxy'>) => void;
}) {
  const { proxy } = useProxy();
  const { environments, options } = useEnvironments();
  const revisions = useRead('listRevisions', { params: { proxyId: proxy.id }, query: { pageSize: 100 } });
  // Not a write: nothing on the screens changes.
  const form = useForm<Values>(
    { environmentId: '', revision: '', method: 'GET', path: '/', headers: '', body: '', key: '' },
    async ({ revision, headers, body, key, ...values }) => {
      props.onSend();
      const trace = await call('traceProxy', {
        params: { proxyId: proxy.id },
        body: {
          ...values,
          environmentId,
          revision: revision === '' ? null : Number(revision),
          headers: asHeaders(headers) ?? [],
          body: body === '' ? null : body,
          key: key.trim() || null,
        },
      });
      props.onTraced(trace);
    },
  );
  const { values } = form;
  // By default, one where a request does least harm.
  const usual = environments.find(({ production }) => !production) ?? environments[0];
  const environmentId = values.environmentId || usual?.id || '';
  const withBody = values.method !== 'GET' && values.method !== 'HEAD';
  return (
    <FormBody
      passing
      form={form}
      submitLabel="Send"
      disabled={environmentId === '' || asHeaders(values.headers) === null}
    >
      <Group align="start">
        <Select
          label="Method"
          w={120}
          data={[...methods]}
          value={values.method}
          allowDeselect={false}
          onChange={(method) => method && form.set('method', method as Values['method'])}
          error={form.errorAt('method')}
        />
        <TextInput
          label="Path"
          description={
            <>
              Below <Code>{proxy.basePath}</Code>, with the query
            </>
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          spellCheck={false}
          style={{ flex: 1, minWidth: 220 }}
          {...form.text('path')}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label="Environment"
          description="Its target servers and variables are used"
          required
          data={options}
          value={environmentId || null}
          allowDeselect={false}
          onChange={(id) => form.set('environmentId', id ?? '')}
          error={form.errorAt('environmentId')}
        />
        <Select
          label="Revision"
          description="Or the working copy"
          data={[
            { value: '', label: 'Working copy' },
            ...(revisions.data?.revisions ?? []).map(({ revision, note }) => ({
              value: String(revision),
              label: `Revision ${revision}${note ? `: ${note}` : ''}`,
            })),
          ]}
          value={values.revision}
          allowDeselect={false}
          onChange={(revision) => form.set('revision', revision ?? '')}
          error={form.errorAt('revision')}
        />
        <PasswordField
          label="App key"
          description="Sent as the proxy expects it; not stored"
          autoComplete="off"
          {...form.text('key')}
        />
      </SimpleGrid>
      <Textarea
        label="Headers"
        description="One per line"
        placeholder="accept: application/json"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.text('headers')}
        error={form.errorAt('headers') ?? headersError(values.headers)}
      />
      {withBody && (
        <Textarea
          label="Body"
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.text('body')}
        />
      )}
    </FormBody>
  );
}

function asHeaders(text: string) {
  const headers = headersOf(text);
  return 'wrongLine' in headers ? null : headers;
}

function headersError(text: string): string | undefined {
  const headers = headersOf(text);
  return 'wrongLine' in headers ? `Write line ${headers.wrongLine} as name: value.` : undefined;
}
