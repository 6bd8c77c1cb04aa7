import { Stack } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { Ago, Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { QuotaText } from '../../frame/quota.tsx';
import { TrafficStrip } from '../traffic/strip.tsx';
import { BundledProxies } from './bundled-proxies.tsx';

/** What subscribers of a product can call, and how often. */
export function ProductOverview() {
  const { productId } = useParams({ from: '/shell/products/$productId/' });
  const read = useRead('getProduct', { params: { productId } });
  return (
    <Loaded read={read}>
      {(product) => (
        <Stack gap="lg">
          <Properties
            of={{
              Quota: <QuotaText quota={product.quota} absent="Per policy" />,
              Approval: product.autoApprove ? 'Automatic' : 'Manual',
              'Visible to': product.published
                ? product.public
                  ? 'Everyone'
                  : 'Signed-in users'
                : 'Nobody (unpublished)',
              ...(product.unitsHeader === null ? {} : { 'Header with units': product.unitsHeader }),
              Updated: <Ago at={product.updatedAt} />,
            }}
          />
          <TrafficStrip of={{ productId: product.id }} />
          <BundledProxies product={product} />
        </Stack>
      )}
    </Loaded>
  );
}
