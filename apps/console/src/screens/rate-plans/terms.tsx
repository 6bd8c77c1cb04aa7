import { Alert, SegmentedControl, Stack } from '@mantine/core';
import { PlanTerms } from '@millrace/pricing';
import { Loaded, Section } from '@millrace/ui/page';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { Estimate } from './estimate.tsx';
import classes from './rate-plans.module.css';
import { TermsView } from './terms-view.tsx';
import { termsOf } from './texts.ts';

/** The terms of a plan, published or drafted, and what they cost. */
export function RatePlanTerms() {
  const { ratePlanId } = useParams({ from: '/shell/rate-plans/$ratePlanId/' });
  const read = useRead('getRatePlan', { params: { ratePlanId } });
  return <Loaded read={read}>{(plan) => <Shown plan={plan} />}</Loaded>;
}

function Shown({ plan }: { readonly plan: DataOf<'getRatePlan'> }) {
  const { draft, planVersion, state } = plan;
  const [chosen, setChosen] = useState('published');
  const isDraft = draft !== null && chosen === 'draft';
  const shown = isDraft ? { ...plan, ...draft } : plan;
  const terms = PlanTerms.parse(termsOf(shown));
  return (
    <Stack gap="md">
      {draft !== null && state === 'published' && (
        <SegmentedControl
          aria-label="Version"
          style={{ alignSelf: 'start' }}
          value={chosen}
          onChange={setChosen}
          data={[
            { value: 'published', label: `Version ${planVersion}, published` },
            { value: 'draft', label: `Version ${draft.planVersion}, draft` },
          ]}
        />
      )}
      {state === 'retired' && <Alert color="orange">Retired: existing subscribers keep this plan.</Alert>}
      <div className={classes.columns}>
        <TermsView terms={terms} />
        <div className={classes.beside}>
          <Section title="Estimate">
            <Estimate key={shown.planVersion} plan={plan} terms={terms} planVersion={shown.planVersion} />
          </Section>
        </div>
      </div>
    </Stack>
  );
}
