import { PlanTerms } from '@millrace/pricing';
import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Ago, Moment } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { RowActions } from '../../frame/actions.tsx';
import { useRead } from '../../frame/api.ts';
import { TermsView } from './terms-view.tsx';
import { termsOf, usePriceTexts } from './texts.ts';

/** The published versions of a plan, and who is billed by each. */
export function RatePlanVersions() {
  const { ratePlanId } = useParams({ from: '/shell/rate-plans/$ratePlanId/versions' });
  const read = useRead('getRatePlan', { params: { ratePlanId } });
  const { summaryOf } = usePriceTexts();
  const numbers = useNumbers();
  return (
    <Loaded read={read}>
      {({ versions }) =>
        versions.length === 0 ? (
          <EmptyList>No version is published yet.</EmptyList>
        ) : (
          <RecordTable
            label="Table of versions"
            rows={versions.map((version) => ({ ...version, id: String(version.planVersion) }))}
            columns={[
              { title: 'Version', cell: ({ planVersion }) => planVersion },
              { title: 'Price', cell: summaryOf },
              {
                title: 'Published',
                cell: ({ publishedAt, publishedByName }) => (
                  <>
                    <Ago at={publishedAt} />
                    {publishedByName && ` by ${publishedByName}`}
                  </>
                ),
              },
              {
                title: 'Existing subscribers move',
                cell: ({ appliesToSubscribersFrom, appliedAt }) => (
                  <>
                    <Moment at={appliesToSubscribersFrom} />
                    {appliedAt && ', done'}
                  </>
                ),
              },
              { title: 'Subscribers', align: 'end', cell: ({ subscribers }) => numbers.count(subscribers) },
              {
                title: 'Actions',
                cell: (version) => (
                  <RowActions
                    actions={[
                      {
                        label: 'Show terms',
                        name: `Show terms of version ${version.planVersion}`,
                        form: {
                          title: `Version ${version.planVersion} of ${version.displayName}`,
                          large: true,
                          body: () => <TermsView terms={PlanTerms.parse(termsOf(version))} />,
                        },
                      },
                    ]}
                  />
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}
