import { SimpleGrid, Stack } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { Fact, Moment } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { QuotaText } from '../../frame/quota.tsx';
import { BundledProxies } from './bundled-proxies.tsx';

/** What a product lets its subscribers call, and how often. */
export function ProductOverview() {
  const { productId } = useParams({ from: '/shell/products/$productId/' });
  const read = useRead('getProduct', { params: { productId } });
  return (
    <Loaded read={read}>
      {(product) => (
        <Stack gap="xl">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            <Fact label="Quota">
              <QuotaText quota={product.quota} absent="Off: that of each Quota policy" />
            </Fact>
            <Fact label="Subscriptions are approved">{product.autoApprove ? 'by themselves' : 'by somebody'}</Fact>
            <Fact label="The portal shows it to">
              {product.published ? (product.public ? 'everybody' : 'who is signed in') : 'nobody: it is not published'}
            </Fact>
            <Fact label="Changed">
              <Moment at={product.updatedAt} />
            </Fact>
          </SimpleGrid>
          <BundledProxies product={product} />
        </Stack>
      )}
    </Loaded>
  );
}
