import { showDone, useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { PasswordField } from './password-field.tsx';
import { texts } from './texts.ts';

/** Changes the user's own password. */
export function PasswordForm(props: {
  readonly change: (body: {
    readonly currentPassword: string;
    readonly newPassword: string;
  }) => Promise<{ readonly endedSessions: number }>;
}) {
  const words = texts().password;
  const empty = { currentPassword: '', newPassword: '' };
  const form = useForm(empty, async (body) => {
    const { endedSessions } = await props.change(body);
    showDone(words.changed(endedSessions));
    form.reset(empty);
  });
  return (
    <FormBody form={form} submitLabel={words.change} disabled={!form.changed}>
      <PasswordField label={words.current} autoComplete="current-password" {...form.text('currentPassword')} />
      <PasswordField
        label={words.new}
        description={words.newRule}
        autoComplete="new-password"
        {...form.text('newPassword')}
      />
    </FormBody>
  );
}
