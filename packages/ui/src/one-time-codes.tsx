import { Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import { showDone, useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { FormDialog } from './form-dialog.tsx';
import { PasswordField } from './password-field.tsx';
import { ShownOnce } from './shown-once.tsx';
import { texts } from './texts.ts';

type Secret = { readonly secret: string; readonly otpauthUrl: string };

interface Calls {
  readonly start: (body: { readonly password: string }) => Promise<Secret>;
  readonly confirm: (body: { readonly oneTimeCode: string }) => Promise<{ readonly recoveryCodes: readonly string[] }>;
  readonly remove: (body: { readonly password: string; readonly oneTimeCode: string }) => Promise<unknown>;
}

/** Turns one-time codes (TOTP) on or off for the user's own sign-in. */
export function OneTimeCodes({ used, start, confirm, remove }: Calls & { readonly used: boolean }) {
  const words = texts().oneTimeCodes;
  const [dialog, setDialog] = useState<'password' | 'remove' | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const close = () => setDialog(null);
  return (
    <Stack align="start">
      <Text size="sm">{used ? words.on : words.off}</Text>
      {used ? (
        <Button variant="default" onClick={() => setDialog('remove')}>
          {words.turnOffTitle}
        </Button>
      ) : (
        <Button variant="default" onClick={() => setDialog('password')}>
          {words.setUp}
        </Button>
      )}
      <FormDialog title={words.setUp} opened={dialog === 'password'} onClose={close}>
        <Begin
          start={start}
          onCancel={close}
          onBegun={(begun) => {
            close();
            setSecret(begun);
          }}
        />
      </FormDialog>
      <FormDialog title={words.setUp} opened={secret !== null} onClose={() => setSecret(null)}>
        {secret && (
          <ConfirmFirst
            confirm={confirm}
            secret={secret}
            onCancel={() => setSecret(null)}
            onConfirmed={(codes) => {
              setSecret(null);
              setRecoveryCodes(codes);
            }}
          />
        )}
      </FormDialog>
      <FormDialog title={words.turnOffTitle} opened={dialog === 'remove'} onClose={close}>
        <Remove remove={remove} onClose={close} />
      </FormDialog>
      {recoveryCodes && (
        <ShownOnce
          title={words.recoveryTitle}
          explanation={words.recoveryText}
          secret={recoveryCodes.join('\n')}
          onClose={() => setRecoveryCodes(null)}
        />
      )}
    </Stack>
  );
}

function Begin(props: {
  readonly start: Calls['start'];
  readonly onCancel: () => void;
  readonly onBegun: (secret: Secret) => void;
}) {
  const form = useForm({ password: '' }, async (body) => props.onBegun(await props.start(body)));
  return (
    <FormBody form={form} submitLabel={texts().oneTimeCodes.continue} onCancel={props.onCancel}>
      <PasswordField
        label={texts().oneTimeCodes.ownPassword}
        autoComplete="current-password"
        data-autofocus
        {...form.text('password')}
      />
    </FormBody>
  );
}

function ConfirmFirst(props: {
  readonly confirm: Calls['confirm'];
  readonly secret: Secret;
  readonly onCancel: () => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}) {
  const form = useForm({ oneTimeCode: '' }, async (body) => {
    const { recoveryCodes } = await props.confirm(body);
    showDone(texts().oneTimeCodes.areOn);
    props.onConfirmed(recoveryCodes);
  });
  return (
    <FormBody form={form} submitLabel={texts().oneTimeCodes.confirm} onCancel={props.onCancel}>
      <Text size="sm">{texts().oneTimeCodes.scan}</Text>
      <QrCode text={props.secret.otpauthUrl} />
      <Code block data-secret>
        {props.secret.secret}
      </Code>
      <TextInput
        label={texts().oneTimeCodes.codeFromApp}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...form.text('oneTimeCode')}
      />
    </FormBody>
  );
}

function Remove({ remove, onClose }: Pick<Calls, 'remove'> & { readonly onClose: () => void }) {
  const form = useForm({ password: '', oneTimeCode: '' }, async (body) => {
    await remove(body);
    showDone(texts().oneTimeCodes.areOff);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel={texts().oneTimeCodes.turnOff} onCancel={onClose} danger>
      <Text size="sm">{texts().oneTimeCodes.recoveryStops}</Text>
      <PasswordField
        label={texts().oneTimeCodes.ownPassword}
        autoComplete="current-password"
        data-autofocus
        {...form.text('password')}
      />
      <TextInput
        label={texts().oneTimeCodes.codeTitle}
        description={texts().oneTimeCodes.codeHelp}
        autoComplete="one-time-code"
        {...form.text('oneTimeCode')}
      />
    </FormBody>
  );
}

/** A QR code, black on white in either colour scheme, as cameras expect it. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={220} height={220} role="img" aria-label={texts().oneTimeCodes.qrCode}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
