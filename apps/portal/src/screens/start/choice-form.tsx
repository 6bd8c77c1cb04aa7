import { Alert, Anchor, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Failure, Loaded, Page } from '@millrace/ui/page';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { call, type DataOf, useRead } from '../../frame/api.ts';
import { pageAt } from '../../frame/place.ts';
import { texts } from '../../frame/texts.ts';
import { PlanChoice } from './plan-choice.tsx';
import classes from './start.module.css';

type App = DataOf<'listPortalApps'>['apps'][number];
type Product = DataOf<'listCatalog'>['products'][number];

/** What the first steps have made. */
export interface Started {
  readonly app: { readonly id: string; readonly displayName: string };
  readonly subscription: { readonly state: string };
  readonly productId: string;
  readonly credentialId: string;
  /** Shown only now. */
  readonly key: string;
}

const words = texts.start;

/** Names an app, and chooses a product and a plan for it. */
export function ChoiceForm({ onStarted }: { readonly onStarted: (started: Started) => void }) {
  const apps = useRead('listPortalApps', { query: { pageSize: '100', state: 'active' } });
  const catalog = useRead('listCatalog', { query: { pageSize: '100' } });
  return (
    <Page title={words.title} description={words.description}>
      <Loaded read={apps}>
        {(own) => (
          <Loaded read={catalog}>
            {({ products }) => <Choice apps={own.apps} products={products} onStarted={onStarted} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

const newApp = '';

function Choice(props: {
  readonly apps: readonly App[];
  readonly products: readonly Product[];
  readonly onStarted: (started: Started) => void;
}) {
  const { apps, products, onStarted } = props;
  const asked = useSearch({ from: '/in/account/start' });
  const first =
    products.find(({ name }) => name === asked.product) ?? (products.length === 1 ? products[0] : undefined);
  const initial = {
    appId: apps[0]?.id ?? newApp,
    displayName: words.firstApp,
    productId: first?.id ?? '',
    ratePlanId: '',
  };
  const form = useForm(initial, async ({ appId, displayName, productId, ratePlanId }) => {
    const app = appId === newApp ? await call('createPortalApp', { body: { displayName } }) : appOf(apps, appId);
    // A second attempt goes on with the app that the first has made.
    form.set('appId', app.id);
    const subscription = await subscriptionOf(app.id, productId, ratePlanId || null);
    const issued = await call('issuePortalCredential', { params: { appId: app.id }, body: { name: words.keyName } });
    onStarted({ app, subscription, productId, credentialId: issued.id, key: issued.key });
  });
  const { appId, productId, ratePlanId } = form.values;
  const product = useRead('getCatalogProduct', { params: { productId } }, { enabled: productId !== '' });
  const plans = product.data?.plans;
  const setPlan = (id: string) => form.set('ratePlanId', id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another product, its plans are there to choose from.
  useEffect(() => {
    if (plans === undefined || plans.some(({ id }) => id === ratePlanId)) return;
    setPlan((plans.find(({ name }) => name === asked.plan) ?? plans[0])?.id ?? '');
  }, [plans]);
  if (products.length === 0) return <Alert>{words.noProducts}</Alert>;
  return (
    <FormBody
      form={form}
      passing
      submitLabel={words.submit}
      disabled={plans === undefined || (plans.length > 0 && ratePlanId === '')}
    >
      <Step number={1} title={words.app}>
        {apps.length > 0 && (
          <Radio.Group
            aria-label={words.app}
            value={appId}
            onChange={(id) => form.set('appId', id)}
            error={form.errorAt('appId')}
          >
            <Stack gap="xs">
              {apps.map((app) => (
                <Radio key={app.id} value={app.id} label={app.displayName} />
              ))}
              <Radio value={newApp} label={words.newApp} />
            </Stack>
          </Radio.Group>
        )}
        {appId === newApp && (
          <TextInput
            label={words.appName}
            description={words.appNameHelp}
            required
            maw={420}
            {...form.text('displayName')}
          />
        )}
      </Step>
      <Step number={2} title={words.product}>
        <Radio.Group
          aria-label={words.product}
          value={productId}
          onChange={(id) => form.set('productId', id)}
          error={form.errorAt('productId')}
        >
          <div className={classes.cards}>
            {products.map(({ id, displayName, description }) => (
              <Radio.Card key={id} value={id} className={classes.card!}>
                <Radio.Indicator />
                <div>
                  <strong>{displayName}</strong>
                  {description !== '' && <p>{description}</p>}
                </div>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
      </Step>
      {productId !== '' && (
        <Step number={3} title={words.plan}>
          {product.error && <Failure error={product.error} />}
          {product.data && (
            <>
              <PlanChoice
                plans={product.data.plans}
                billingPeriod={product.data.billingPeriod}
                chosen={ratePlanId}
                onChoose={setPlan}
                error={form.errorAt('ratePlanId')}
              />
              {!product.data.autoApprove && <Alert color="blue">{words.needsApproval}</Alert>}
              <Anchor href={pageAt(`/products/${product.data.name}`)} size="sm">
                {words.aboutProduct(product.data.displayName)}
              </Anchor>
            </>
          )}
        </Step>
      )}
    </FormBody>
  );
}

function appOf(apps: readonly App[], id: string): Started['app'] {
  return apps.find((app) => app.id === id) ?? { id, displayName: '' };
}

/** The app's subscription to the product: the one that it has, or a new one. */
async function subscriptionOf(appId: string, productId: string, ratePlanId: string | null) {
  const { subscriptions } = await call('listPortalSubscriptions', { query: { appId, productId, pageSize: '100' } });
  const existing = subscriptions.find(({ state }) => state === 'approved' || state === 'pending');
  return existing ?? call('subscribeInPortal', { body: { appId, productId, ratePlanId } });
}

function Step(props: { readonly number: number; readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes.step}>
      <h2 className={classes.title}>
        <span className={classes.number} aria-hidden>
          {props.number}
        </span>
        {props.title}
      </h2>
      <Stack gap="sm">{props.children}</Stack>
    </section>
  );
}
