import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { showFailure } from '@millrace/ui/form';
import { IconRocket } from '@millrace/ui/icons';
import { Mark } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Page, Section } from '@millrace/ui/page';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type DataOf, useRead } from '../../frame/api.ts';
import { CodeBlock } from '../../frame/code-block.tsx';
import { pageAt } from '../../frame/place.ts';
import { texts } from '../../frame/texts.ts';
import type { Started } from './choice-form.tsx';
import { type FirstOperation, firstOperation, tryRequest, withKey } from './first-operation.ts';
import classes from './start.module.css';

type Product = DataOf<'getCatalogProduct'>;
type Operation = DataOf<'getCatalogOperation'>;
type Result = DataOf<'sendPortalTry'>;

const words = texts.firstCall;

/** The new key, shown once, and the first call with it. */
export function FirstCall({ started }: { readonly started: Started }) {
  const { app, key, productId, subscription } = started;
  const product = useRead('getCatalogProduct', { params: { productId } });
  const first = product.data === undefined ? null : firstOperation(product.data);
  return (
    <Page title={words.title} description={words.description(app.displayName)}>
      <Stack gap="xl">
        <Section title={words.key}>
          <Stack gap="sm">
            <Alert color="yellow">{words.shownOnce}</Alert>
            <div className={classes.key}>
              <code data-secret>{key}</code>
              <CopyButton value={key} size="xs" />
            </div>
          </Stack>
        </Section>
        {subscription.state === 'pending' && <Alert color="blue">{words.pending}</Alert>}
        {product.data && first && <Call started={started} product={product.data} first={first} />}
        <Group>
          <Button
            variant="default"
            renderRoot={(root) => <Link {...root} to="/account/apps/$appId" params={{ appId: app.id }} />}
          >
            {words.toApp}
          </Button>
          {product.data && <Anchor href={pageAt(`/products/${product.data.name}`)}>{words.toReference}</Anchor>}
        </Group>
      </Stack>
    </Page>
  );
}

function Call(props: { readonly started: Started; readonly product: Product; readonly first: FirstOperation }) {
  const { started, product, first } = props;
  const operation = useRead('getCatalogOperation', { params: { productId: product.name, operationId: first.id } });
  if (operation.data === undefined) return null;
  const curl = operation.data.snippets.find(({ language }) => language === 'curl')?.code ?? '';
  const snippet = withKey(curl, started.key);
  return (
    <Section title={words.call} description={first.summary}>
      <Stack gap="sm">
        <CodeBlock label={words.snippet} text={snippet} />
        <Group gap="xs">
          <CopyButton value={snippet} />
          {started.subscription.state === 'approved' && !first.needsFile && (
            <Sender started={started} product={product} operation={operation.data} />
          )}
          {first.needsFile && (
            <Button
              component="a"
              href={pageAt(`/products/${product.name}/operations/${encodeURIComponent(first.id)}#try`)}
              leftSection={<IconRocket size={16} aria-hidden />}
            >
              {words.try}
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  );
}

function Sender(props: { readonly started: Started; readonly product: Product; readonly operation: Operation }) {
  const { started, product, operation } = props;
  const [sending, setSending] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const numbers = useNumbers();
  const send = async () => {
    setSending(true);
    try {
      setResult(await sendUntilKnown(tryRequest(product, operation, started.credentialId)));
    } catch (error) {
      showFailure(error);
    } finally {
      setSending(false);
    }
  };
  return (
    <>
      <Button loading={sending} onClick={send} leftSection={<IconRocket size={16} aria-hidden />}>
        {words.try}
      </Button>
      {result && (
        <Stack gap="xs" w="100%" role="status">
          <div className={classes.answer}>
            {result.response === null ? (
              <Text c="var(--mantine-color-error)">{result.problem}</Text>
            ) : (
              <>
                <Mark tone={result.response.status < 400 ? 'good' : 'bad'}>
                  {words.answered(result.response.status)}
                </Mark>
                <span>{numbers.decimal(result.durationMs, 0)} ms</span>
              </>
            )}
          </div>
          {result.response?.text && <CodeBlock label={words.response} text={pretty(result.response.text)} />}
        </Stack>
      )}
    </>
  );
}

/** Gateway nodes know a new key within a second or so: until then they reject it. */
async function sendUntilKnown(body: ReturnType<typeof tryRequest>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const result = await call('sendPortalTry', { body });
    const isUnknown = result.response?.status === 401 || result.response?.status === 403;
    if (!isUnknown || attempt === 4) return result;
    await new Promise((resume) => setTimeout(resume, 700));
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
