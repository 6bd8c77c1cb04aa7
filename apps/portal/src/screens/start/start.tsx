import { Alert } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { useState } from 'react';
import { useMay } from '../../frame/session.tsx';
import { texts } from '../../frame/texts.ts';
import { ChoiceForm, type Started } from './choice-form.tsx';
import { FirstCall } from './first-call.tsx';

/** From an app and a plan to a key, and to the first call with it. */
export function Start() {
  const may = useMay();
  const [started, setStarted] = useState<Started | null>(null);
  if (!may('createPortalApp')) {
    return (
      <Page title={texts.start.title}>
        <Alert>{texts.start.notAllowed}</Alert>
      </Page>
    );
  }
  return started === null ? <ChoiceForm onStarted={setStarted} /> : <FirstCall started={started} />;
}
