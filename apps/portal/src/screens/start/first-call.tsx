import { Alert, Anchor, Button, Group, Stack } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { Page, Section } from '@millrace/ui/page';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { CodeBlock } from '../../frame/code-block.tsx';
import { pageAt } from '../../frame/place.ts';
import { texts } from '../../frame/texts.ts';
import type { Started } from './choice-form.tsx';
import { firstOperation, withKey } from './first-operation.ts';
import classes from './start.module.css';
import { TryPanel } from './try-panel.tsx';

const words = texts.firstCall;

/** The new key, shown once, and the first call with it. */
export function FirstCall({ started }: { readonly started: Started }) {
  const { app, key, productId, subscription } = started;
  const { data: product } = useRead('getCatalogProduct', { params: { productId } });
  const first = firstOperation(product?.operations ?? []);
  return (
    <Page title={words.title} description={words.description(app.displayName)}>
      <Stack gap="xl" maw={860}>
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
        {product && first && (
          <Call started={started} productName={product.name} operationId={first.id} summary={first.summary} />
        )}
        <Group>
          <Button
            variant="default"
            renderRoot={(root) => <Link {...root} to="/account/apps/$appId" params={{ appId: app.id }} />}
          >
            {words.toApp}
          </Button>
          {product && <Anchor href={pageAt(`/products/${product.name}`)}>{words.toReference}</Anchor>}
        </Group>
      </Stack>
    </Page>
  );
}

function Call(props: {
  readonly started: Started;
  readonly productName: string;
  readonly operationId: string;
  readonly summary: string;
}) {
  const { started, productName, operationId, summary } = props;
  const { data: operation } = useRead('getCatalogOperation', { params: { productId: productName, operationId } });
  if (operation === undefined) return null;
  const curl = operation.snippets.find(({ language }) => language === 'curl')?.code ?? '';
  const snippet = withKey(curl, started.key);
  return (
    <Section title={words.call} description={summary}>
      <Stack gap="sm">
        <CodeBlock label={words.snippet} text={snippet} />
        <Group>
          <CopyButton value={snippet} />
        </Group>
        {started.subscription.state === 'approved' && (
          <TryPanel operation={operation} productName={productName} started={started} />
        )}
      </Stack>
    </Section>
  );
}
