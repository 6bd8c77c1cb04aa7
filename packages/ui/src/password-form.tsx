import { showDone, useForm } from './form.ts';
import { FormBody } from './form-dialog.tsx';
import { PasswordField } from './password-field.tsx';
import { counted } from './words.ts';

/** Changes the user's own password. */
export function PasswordForm(props: {
  readonly change: (body: {
    readonly currentPassword: string;
    readonly newPassword: string;
  }) => Promise<{ readonly endedSessions: number }>;
}) {
  const empty = { currentPassword: '', newPassword: '' };
  const form = useForm(empty, async (body) => {
    const { endedSessions } = await props.change(body);
    showDone(`Password changed.${endedText(endedSessions)}`);
    form.reset(empty);
  });
  return (
    <FormBody form={form} submitLabel="Change password" disabled={!form.changed}>
      <PasswordField label="Current password" autoComplete="current-password" {...form.text('currentPassword')} />
      <PasswordField
        label="New password"
        description="At least 12 characters, without your name or e-mail address. Your other sessions end."
        autoComplete="new-password"
        {...form.text('newPassword')}
      />
    </FormBody>
  );
}

function endedText(endedSessions: number): string {
  if (endedSessions === 0) return '';
  return ` ${counted(endedSessions, 'other session')} ended.`;
}
